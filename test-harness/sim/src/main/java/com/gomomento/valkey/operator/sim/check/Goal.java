package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.declare.SpecResolver;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Mirror;
import com.gomomento.valkey.operator.sim.kubernetes.SimKubernetesPort;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether a cluster is as its user wishes, in truth and in every view (invariants L1 and S18). */
public final class Goal {

    private final Truth truth;

    /** Looks at these models. */
    public Goal(Truth truth) {
        this.truth = truth;
    }

    /** What is not as wished anywhere, as a sentence; empty if all is well and every status says so. */
    public Optional<String> firstGap() {
        for (Stored cluster : truth.clusters()) {
            Optional<String> gap = status(cluster).or(() -> gap(cluster));
            if (gap.isPresent()) {
                return gap.map(sentence -> cluster.key().name() + ": " + sentence);
            }
        }
        return leftOver();
    }

    /** What is not as wished in one cluster, whatever its status says. */
    public Optional<String> gap(Stored cluster) {
        return kubernetes(cluster).or(() -> servers(cluster, truth.roster().existing(cluster.uid())));
    }

    /**
     * What is not as wished among the pods and servers of one cluster, whatever was written down about them and
     * whatever still runs without a pod.
     */
    public Optional<String> gapOfServers(Stored cluster) {
        List<Roster.Instance> processes = truth.roster().existing(cluster.uid()).stream()
                .filter(truth::podExists)
                .toList();
        return pods(cluster).or(() -> servers(cluster, processes));
    }

    private static Optional<String> status(Stored cluster) {
        Content.Cluster content = cluster.cluster();
        Optional<ClusterStatus> status = content.status();
        if (status.isEmpty()) {
            return Optional.of("has no status");
        }
        ClusterStatus said = status.get();
        if (said.state() != ClusterState.ACTIVE) {
            return Optional.of("its status is " + said.state() + ": " + said.message());
        }
        if (said.observedGeneration() != content.generation()) {
            return Optional.of("its status is of generation " + said.observedGeneration());
        }
        int members = content.wish().shards() * (1 + content.wish().replicasPerShard());
        boolean truthful = said.nodes().size() == members
                && said.readyNodes() == members
                && said.desiredNodes() == members
                && said.shards() == content.wish().shards()
                && said.slotsAssigned() == SlotSet.COUNT
                && said.message().isEmpty();
        return truthful ? Optional.empty() : Optional.of("its status is Active and says " + said);
    }

    private Optional<String> kubernetes(Stored cluster) {
        List<Stored> pods = truth.owned(Kind.POD, cluster.uid());
        List<Stored> nodes = truth.owned(Kind.NODE, cluster.uid());
        if (!names(pods).equals(names(nodes))) {
            return Optional.of("its pods are " + names(pods) + " and its ValkeyNodes " + names(nodes));
        }
        return pods(cluster)
                .or(() -> inputs(cluster, pods))
                .or(() -> support(cluster))
                .or(() -> records(pods, nodes));
    }

    private Optional<String> pods(Stored cluster) {
        Content.Wish wish = cluster.cluster().wish();
        List<Stored> pods = truth.owned(Kind.POD, cluster.uid());
        TreeMap<Integer, Integer> perShard = new TreeMap<>();
        for (Stored pod : pods) {
            perShard.merge(pod.pod().shard().index(), 1, Integer::sum);
            Content.PodState state = pod.pod().state();
            if (state.phase() != PodView.Phase.RUNNING || !state.ready() || pod.terminating()) {
                return Optional.of("pod " + pod.key().name() + " is not ready");
            }
        }
        for (int shard = 0; shard < wish.shards(); shard++) {
            if (perShard.getOrDefault(shard, 0) != 1 + wish.replicasPerShard()) {
                return Optional.of("members of its shards are " + perShard);
            }
        }
        return perShard.size() == wish.shards()
                ? Optional.empty()
                : Optional.of("members of its shards are " + perShard);
    }

    /** Pods and ConfigMap are made from what holds now. */
    private Optional<String> inputs(Stored cluster, List<Stored> pods) {
        ClusterKey key = new ClusterKey(cluster.key().namespace(), cluster.key().name());
        Resolution resolution = SpecResolver.resolve(
                SimKubernetesPort.declaration(key, cluster),
                Mirror.catalog(truth.api().list(Kind.CONFIG), truth.api().list(Kind.IMAGE)),
                ZoneSpread.BEST_EFFORT);
        return switch (resolution) {
            case Resolution.Unusable(String sentence) -> Optional.of(sentence);
            case Resolution.Resolved(ClusterSpec spec) ->
                pods.stream()
                        .flatMap(pod -> outdated(pod, spec).stream())
                        .findFirst()
                        .or(() -> file(cluster));
        };
    }

    private Optional<String> file(Stored cluster) {
        Content wanted = new Content.ServerConfig(ServerConfig.file());
        boolean current = truth.owned(Kind.CONFIG_MAP, cluster.uid()).stream()
                .anyMatch(object -> object.content().equals(wanted));
        return current ? Optional.empty() : Optional.of("its ConfigMap does not hold valkey.conf");
    }

    private Optional<String> outdated(Stored pod, ClusterSpec spec) {
        if (!pod.pod().template().equals(ServerConfig.template(spec))) {
            return Optional.of("pod " + pod.key().name() + " is made from earlier inputs");
        }
        SortedMap<String, String> wished = spec.server().directives();
        return runsWith(pod, wished)
                ? Optional.empty()
                : Optional.of("the server in pod " + pod.key().name() + " does not run with " + wished
                        + ", its pod says " + pod.pod().annotations());
    }

    /** Whatever its pod tells. */
    private boolean runsWith(Stored pod, SortedMap<String, String> directives) {
        return truth.roster()
                .inPod(pod.uid())
                .filter(process -> process.server().directives().entrySet().containsAll(directives.entrySet()))
                .isPresent();
    }

    private Optional<String> support(Stored cluster) {
        String uid = cluster.uid();
        boolean whole = truth.owned(Kind.SERVICE, uid).size() == 1
                && truth.owned(Kind.CONFIG_MAP, uid).size() == 1
                && truth.owned(Kind.SECRET, uid).size() == 2
                && truth.owned(Kind.DISRUPTION_BUDGET, uid).size() == 1;
        return whole ? Optional.empty() : Optional.of("an object that its members lean on is missing");
    }

    private Optional<String> records(List<Stored> pods, List<Stored> nodes) {
        for (Stored node : nodes) {
            Stored pod = pods.stream()
                    .filter(candidate ->
                            candidate.key().name().equals(node.key().name()))
                    .findFirst()
                    .orElseThrow();
            NodeRecord.Status status = node.node().status();
            Optional<Roster.Instance> process = truth.roster().inPod(pod.uid());
            boolean right = status.lifecycle() == Lifecycle.ACTIVE
                    && status.podUid().equals(Optional.of(pod.uid()))
                    && status.podIp().equals(pod.pod().state().ip())
                    && process.isPresent()
                    && status.nodeId().equals(Optional.of(process.get().server().id()))
                    && status.role()
                            .equals(Optional.of(process.get().server().report().role()))
                    && node.node().shard().equals(pod.pod().shard());
            if (!right) {
                return Optional.of("ValkeyNode " + node.key().name() + " says " + status);
            }
        }
        return Optional.empty();
    }

    private Optional<String> servers(Stored cluster, List<Roster.Instance> processes) {
        int members = truth.owned(Kind.POD, cluster.uid()).size();
        if (processes.size() != members) {
            return Optional.of(processes.size() + " processes run in " + members + " pods");
        }
        TreeSet<NodeId> ids =
                processes.stream().map(process -> process.server().id()).collect(Collectors.toCollection(TreeSet::new));
        TreeMap<Integer, Roster.Instance> primaries = new TreeMap<>();
        for (Roster.Instance process : processes) {
            if (!process.server().answers()) {
                return Optional.of(process + " stands still");
            }
            NodeReport.Reachable report = process.server().report();
            Optional<String> gap = view(process, report, ids);
            if (gap.isPresent()) {
                return gap;
            }
            if (report.role() == Role.PRIMARY && primaries.put(process.shard().index(), process) != null) {
                return Optional.of("shard " + process.shard().index() + " has two primaries");
            }
        }
        return shards(cluster, processes, primaries);
    }

    private static Optional<String> view(Roster.Instance process, NodeReport.Reachable report, Set<NodeId> ids) {
        if (!report.view().byId().keySet().equals(ids)) {
            return Optional.of(process + " knows " + report.view().byId().keySet() + ", members are " + ids);
        }
        for (MemberBelief belief : report.view().all()) {
            boolean well = belief.health() == MemberBelief.Health.OK && belief.linkUp() && !belief.handshake();
            if (!well) {
                return Optional.of(process + " has no good link to " + belief.id());
            }
        }
        return report.clusterOk() ? Optional.empty() : Optional.of(process + " reports cluster_state:fail");
    }

    private Optional<String> shards(
            Stored cluster, List<Roster.Instance> processes, Map<Integer, Roster.Instance> primaries) {
        int shards = cluster.cluster().wish().shards();
        if (primaries.size() != shards) {
            return Optional.of("shards with a primary are " + primaries.keySet());
        }
        SlotSet all = SlotSet.EMPTY;
        Set<Long> epochs = new TreeSet<>();
        List<Integer> sizes = new ArrayList<>();
        for (Roster.Instance primary : primaries.values()) {
            SlotSet own = Truth.ownSlots(primary.server());
            sizes.add(own.size());
            all = all.plus(own);
            epochs.add(primary.server().configEpoch());
        }
        if (!all.equals(SlotSet.ALL)) {
            return Optional.of(all.size() + " slots have an owner");
        }
        boolean even = sizes.stream().mapToInt(size -> size).max().orElse(0)
                        - sizes.stream().mapToInt(size -> size).min().orElse(0)
                <= 1;
        if (!even || sizes.stream().mapToInt(size -> size).sum() != SlotSet.COUNT) {
            return Optional.of("its shards have " + sizes + " slots");
        }
        if (epochs.size() != shards) {
            return Optional.of("config epochs of its primaries are " + epochs);
        }
        return replicas(processes, primaries).or(() -> agreement(processes, primaries));
    }

    private static Optional<String> replicas(List<Roster.Instance> processes, Map<Integer, Roster.Instance> primaries) {
        for (Roster.Instance process : processes) {
            Optional<Roster.Instance> primary =
                    Optional.ofNullable(primaries.get(process.shard().index()));
            if (primary.isEmpty()) {
                return Optional.of("shard " + process.shard().index() + " has no primary");
            }
            boolean isPrimary = primary.get().equals(process);
            if (!isPrimary && !process.server().inSyncWith(primary.get().server())) {
                return Optional.of(process + " is not in sync with " + primary.get());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> agreement(
            List<Roster.Instance> processes, Map<Integer, Roster.Instance> primaries) {
        for (Roster.Instance process : processes) {
            NodeReport.Reachable report = process.server().report();
            for (Roster.Instance primary : primaries.values()) {
                SlotSet believed =
                        report.view().of(primary.server().id()).orElseThrow().slots();
                if (!believed.equals(Truth.ownSlots(primary.server()))) {
                    return Optional.of(process + " does not see the slots of " + primary);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> leftOver() {
        Set<String> clusters = truth.clusters().stream().map(Stored::uid).collect(Collectors.toSet());
        for (Kind kind : Kind.values()) {
            for (Stored object : truth.api().list(kind)) {
                if (object.owner().isPresent()
                        && !clusters.contains(object.owner().get())) {
                    return Optional.of(object.key() + " has outlived its cluster");
                }
            }
        }
        for (Roster.Instance process : truth.roster().all()) {
            if (process.exists() && !clusters.contains(process.clusterUid())) {
                return Optional.of(process + " has outlived its cluster");
            }
        }
        return Optional.empty();
    }

    private static Set<String> names(List<Stored> objects) {
        return objects.stream().map(object -> object.key().name()).collect(Collectors.toCollection(TreeSet::new));
    }
}
