package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import com.gomomento.valkey.operator.core.plan.AccessFile;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.Ledger;
import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.core.plan.Plan;
import com.gomomento.valkey.operator.core.plan.Planning;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** What an operator sees of a state, and what it decides. */
final class Eyes {

    private static final ClusterKey KEY = new ClusterKey("shop", "cache");
    private static final String VERSION = "9.1.2";
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Instant LONG_AGO = Instant.parse("2026-11-30T00:00:00Z");
    private static final Credentials CREDENTIALS =
            new Credentials(SecretText.of("operator-pw"), SecretText.of("replication-pw"));

    private static final ClusterStatus CREATING = status(ClusterState.CREATING);
    private static final ClusterStatus UPDATING = status(ClusterState.UPDATING);
    private static final AclFile ACCESS = AccessFile.render(List.of(), CREDENTIALS);

    private final Planning planning;
    private final int replicas;
    private final SortedMap<Integer, Input> inputs = new TreeMap<>();

    /** What a wish comes to: always the same for the same number of shards. */
    private record Input(ClusterSpec spec, Fingerprint template) {}

    Eyes(Planning planning, int replicas) {
        this.planning = planning;
        this.replicas = replicas;
    }

    private static ClusterStatus status(ClusterState state) {
        return new ClusterStatus(
                state,
                "",
                1,
                List.of(),
                0,
                List.of(),
                0,
                0,
                0,
                Optional.of(VERSION),
                "cache.shop.svc.cluster.local:6379");
    }

    /** What is decided by an operator that has just started. */
    Plan plan(State state) {
        return plan(state, Ledger.EMPTY);
    }

    /** Whether it makes a difference what an operator has seen before. */
    boolean memoryMatters(State state) {
        return state.records.values().stream().anyMatch(record -> {
                    Optional<String> uid = record.status().podUid();
                    return uid.filter(state.endings::contains).isPresent();
                })
                || state.pods.keySet().stream().anyMatch(name -> !(look(state, name) instanceof NodeReport.Reachable));
    }

    /** What is decided by one that has seen everything since the beginning, and whose patience with the silent is over. */
    Plan planOfOldHand(State state) {
        SortedMap<NodeName, String> endings = new TreeMap<>();
        SortedMap<NodeName, Instant> silentSince = new TreeMap<>();
        state.records.forEach((name, record) -> {
            record.status().podUid().filter(state.endings::contains).ifPresent(uid -> endings.put(name, uid));
            silentSince.put(name, LONG_AGO);
        });
        return plan(
                state,
                new Ledger(
                        Optional.empty(),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        endings,
                        silentSince,
                        new TreeMap<>(),
                        Optional.empty(),
                        Optional.empty(),
                        new TreeMap<>(),
                        Optional.empty(),
                        Instant.EPOCH,
                        new TreeMap<>(),
                        Instant.EPOCH));
    }

    private Plan plan(State state, Ledger ledger) {
        Input input = inputs.computeIfAbsent(state.shards, this::input);
        ClusterDeclaration declaration = new ClusterDeclaration(
                KEY,
                "uid-1",
                1,
                false,
                state.formed ? Optional.of(LONG_AGO) : Optional.empty(),
                "config",
                state.shards,
                replicas,
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                new TreeMap<>(),
                List.of(),
                new TreeMap<>(),
                false);
        return planning.plan(
                declaration,
                new Resolution.Resolved(input.spec()),
                observe(state, input),
                Optional.of(state.created ? UPDATING : CREATING),
                ledger,
                NOW);
    }

    private Input input(int shards) {
        ClusterSpec spec = new ClusterSpec(
                KEY,
                1,
                shards,
                replicas,
                new ServerSpec(
                        "docker.io/valkey/valkey:" + VERSION,
                        ServerVersion.parse(VERSION),
                        new Resources("1", "100Mi", 104_857_600L),
                        new TreeMap<>()),
                Placement.ANYWHERE,
                List.of(),
                new TreeMap<>());
        return new Input(spec, ServerConfig.template(spec));
    }

    private Observation observe(State state, Input input) {
        String access = ACCESS.fingerprint().hex();
        SortedMap<NodeName, NodeRecord> records = new TreeMap<>();
        state.records.forEach((name, record) -> records.put(
                name,
                new NodeRecord(
                        name,
                        record.uid(),
                        false,
                        record.shard(),
                        record.ordinal(),
                        record.replaces(),
                        record.status())));
        SortedMap<NodeName, PodView> pods = new TreeMap<>();
        SortedMap<NodeName, NodeReport> reports = new TreeMap<>();
        state.pods.forEach((name, pod) -> {
            pods.put(name, pod(name, pod, input.template(), access));
            if (pod.phase() == PodView.Phase.RUNNING && !pod.terminating()) {
                reports.put(name, look(state, name));
            }
        });
        return new Observation(
                new KubernetesView(
                        records,
                        pods,
                        true,
                        Optional.of(ServerConfig.file()),
                        Optional.of(CREDENTIALS),
                        Optional.of(ACCESS),
                        OptionalInt.of(input.spec().members() - 1)),
                reports);
    }

    private static PodView pod(NodeName name, State.Pod pod, Fingerprint template, String access) {
        boolean running = pod.phase() == PodView.Phase.RUNNING;
        boolean failed = pod.phase() == PodView.Phase.FAILED;
        SortedMap<String, String> annotations = new TreeMap<>();
        annotations.put(Markers.ACCESS, access);
        annotations.put(Markers.DIRECTIVES, "");
        return new PodView(
                name,
                pod.uid(),
                pod.shard(),
                pod.phase(),
                running,
                pod.terminating(),
                running ? Optional.of(ip(pod.uid())) : Optional.empty(),
                LONG_AGO,
                Optional.of(template),
                "docker.io/valkey/valkey:" + VERSION,
                Optional.empty(),
                failed ? Optional.of(new PodView.Exit("Error", Optional.of(137), "")) : Optional.empty(),
                Markers.labels(KEY, pod.shard(), name),
                annotations);
    }

    /** An address for each pod that there ever was; the operator reads it as a text. */
    static String ip(String podUid) {
        return "ip-of-" + podUid;
    }

    /** What the operator hears of the server in a pod. */
    static NodeReport look(State state, NodeName name) {
        Optional<Instance> found = state.inPod(name);
        if (found.isEmpty()) {
            return new NodeReport.Unreachable(NodeReport.Unreachable.Reason.REFUSED, "connection refused");
        }
        return found.get().deaf
                ? new NodeReport.Unreachable(NodeReport.Unreachable.Reason.TIMEOUT, "no answer within 1 s")
                : report(state, found.get());
    }

    private static NodeReport.Reachable report(State state, Instance process) {
        SortedMap<NodeId, MemberBelief> view = new TreeMap<>();
        view.put(process.id, own(process));
        process.view.forEach((peer, line) -> {
            MemberBelief belief = belief(state, process, peer, line);
            view.put(belief.id(), belief);
        });
        boolean replica = !process.primary();
        boolean primaryThere = process.follows
                .flatMap(state::process)
                .filter(primary -> State.connected(primary, process))
                .isPresent();
        return new NodeReport.Reachable(
                process.id,
                VERSION,
                replica ? Role.REPLICA : Role.PRIMARY,
                replica
                        ? Optional.of(new NodeReport.ReplicaLink(
                                process.linked && primaryThere, !process.linked && primaryThere, "host"))
                        : Optional.empty(),
                new ReplicationOffset(process.data == Slots.NONE ? 0 : 100),
                serves(process),
                process.highestEpoch(),
                new Beliefs(view),
                migrations(state, process),
                new NodeReport.MemoryUse(0, 0),
                new TreeMap<>());
    }

    private static MemberBelief own(Instance process) {
        return new MemberBelief(
                process.id,
                Optional.of(ip(process.podUid)),
                Optional.of(process.pod + ".cache.shop.svc.cluster.local"),
                process.primary() ? Role.PRIMARY : Role.REPLICA,
                process.follows,
                MemberBelief.Health.OK,
                false,
                true,
                new ConfigEpoch(process.epoch),
                Slots.set(process.slots),
                List.of());
    }

    private static MemberBelief belief(State state, Instance teller, NodeId peer, Instance.Line line) {
        Optional<Instance> subject = state.process(peer);
        Optional<String> ip = subject.map(process -> ip(process.podUid));
        if (line.handshake) {
            return new MemberBelief(
                    new NodeId("f" + teller.id.value().substring(1, 20)
                            + peer.value().substring(0, 20)),
                    ip,
                    Optional.empty(),
                    Role.PRIMARY,
                    Optional.empty(),
                    MemberBelief.Health.OK,
                    true,
                    false,
                    new ConfigEpoch(0),
                    SlotSet.EMPTY,
                    List.of());
        }
        boolean linkUp =
                subject.filter(process -> State.connected(process, teller)).isPresent() && !line.failed;
        return new MemberBelief(
                peer,
                ip,
                Optional.empty(),
                line.follows.isPresent() ? Role.REPLICA : Role.PRIMARY,
                line.follows,
                line.failed ? MemberBelief.Health.FAILED : MemberBelief.Health.OK,
                false,
                linkUp,
                new ConfigEpoch(line.epoch),
                Slots.set(line.slots),
                List.of());
    }

    /** Whether most owners of slots are not held dead; shards that live serve while another one is down. */
    static boolean serves(Instance process) {
        int owners = process.slots == Slots.NONE ? 0 : 1;
        int alive = owners;
        for (Instance.Line line : process.view.values()) {
            if (line.slots != Slots.NONE) {
                owners++;
                alive += line.failed ? 0 : 1;
            }
        }
        return 2 * alive > owners;
    }

    private static List<SlotMigration> migrations(State state, Instance process) {
        List<SlotMigration> migrations = new ArrayList<>();
        for (Instance source : state.processes.values()) {
            boolean outgoing = source == process;
            if (source.target.isPresent() && (outgoing || source.target.get().equals(process.id))) {
                migrations.add(new SlotMigration(
                        outgoing,
                        Slots.set(source.moving),
                        source.id,
                        source.target.get(),
                        true,
                        outgoing ? "snapshotting" : "receiving",
                        ""));
            }
        }
        return migrations;
    }
}
