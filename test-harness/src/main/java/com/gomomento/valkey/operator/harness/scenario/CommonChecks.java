package com.gomomento.valkey.operator.harness.scenario;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The checks that every case ends with, under the names that the cases give them. Each is asked of every live node, and of
 * the API server itself; none trusts what the operator says, but for STATE, which is about that.
 */
public final class CommonChecks {

    private static final int ALL_SLOTS = 16_384;

    private final KubernetesClient client;
    private final AuditLog audit;
    private final ValkeyClusterHandle cluster;

    CommonChecks(KubernetesClient client, AuditLog audit, ValkeyClusterHandle cluster) {
        this.client = client;
        this.audit = audit;
        this.cluster = cluster;
    }

    /** Waits until STATE, COUNT, COV and VIEW hold together. */
    public void settled(Duration limit) {
        Patience.untilNone(limit, cluster.name() + " to settle", this::unsettled);
    }

    /**
     * Waits until a pod is replaced: it is gone, a pod of another name has its place, and the cluster is settled.
     *
     * @param lost that ended, or was deleted
     */
    public void replaced(Pod lost, Duration limit) {
        replacedThough(lost, "Active", limit);
    }

    /** As {@link #replaced}, of a cluster that is in another state for reasons of its own, and stays in it. */
    public void replacedThough(Pod lost, String state, Duration limit) {
        String name = lost.getMetadata().getName();
        Patience.untilNone(limit, name + " to be replaced", () -> {
            boolean there = cluster.pods().stream()
                    .anyMatch(pod -> pod.getMetadata().getName().equals(name));
            return there ? List.of("pod " + name + " is still there") : unsettled(state);
        });
    }

    private List<String> unsettled() {
        return unsettled("Active");
    }

    private List<String> unsettled(String state) {
        ClusterView view = cluster.view();
        List<String> problems = new ArrayList<>();
        if (state.equals("Active")) {
            problems.addAll(state());
        } else if (!view.state().equals(state)) {
            problems.add("STATE: " + view.state() + " '" + view.message() + "', expected is " + state);
        }
        if (problems.isEmpty()) {
            problems.addAll(count());
            SortedMap<String, ServerView> views = cluster.ask();
            problems.addAll(coverage(views.values().stream().toList()));
            problems.addAll(views(views.values().stream().toList(), cluster.livePods()));
        }
        return problems;
    }

    /** STATE: Active at this generation, without a message. */
    public List<String> state() {
        return prefixed("STATE", cluster.view().notActive());
    }

    /** COUNT: exactly as many pods and ValkeyNodes as wished, each pod with its ValkeyNode, each of those Active. */
    public List<String> count() {
        List<String> problems = new ArrayList<>();
        int wished = cluster.view().members();
        List<Pod> pods = cluster.pods();
        List<GenericKubernetesResource> records = cluster.records();
        if (pods.size() != wished || records.size() != wished) {
            problems.add(pods.size() + " pods and " + records.size() + " ValkeyNodes, wished are " + wished);
        }
        if (!names(pods).equals(names(records))) {
            problems.add("pods " + names(pods) + " and ValkeyNodes " + names(records) + " differ");
        }
        records.stream()
                .filter(record -> !Json.text(record, "status", "lifecycle").equals("Active"))
                .forEach(record -> problems.add("ValkeyNode "
                        + record.getMetadata().getName() + " is " + Json.text(record, "status", "lifecycle")));
        return prefixed("COUNT", problems);
    }

    /** COV: every node sees all slots served, all with the same owners, and calls the cluster ok. */
    public static List<String> coverage(List<ServerView> views) {
        List<String> problems = new ArrayList<>();
        if (views.isEmpty()) {
            problems.add("no live node");
        }
        for (ServerView view : views) {
            if (!"ok".equals(view.clusterInfo().get("cluster_state"))) {
                problems.add(
                        view.pod() + " says cluster_state:" + view.clusterInfo().get("cluster_state"));
            }
            if (view.coveredSlots() != ALL_SLOTS) {
                problems.add(view.pod() + " sees " + view.coveredSlots() + " slots served");
            }
            if (!view.owners().equals(views.getFirst().owners())) {
                problems.add(view.pod() + " and " + views.getFirst().pod() + " see other owners");
            }
        }
        return prefixed("COV", problems);
    }

    /**
     * VIEW: every node lists exactly the live members, none of them failing, unreachable or half introduced, every replica
     * under the primary of the shard it was made for, and no slot open.
     */
    public static List<String> views(List<ServerView> views, List<Pod> pods) {
        List<String> problems = new ArrayList<>();
        Set<String> live = views.stream().map(ServerView::id).collect(Collectors.toCollection(TreeSet::new));
        Map<String, Integer> shards = new HashMap<>();
        pods.forEach(pod -> views.stream()
                .filter(view -> view.pod().equals(pod.getMetadata().getName()))
                .forEach(view -> shards.put(view.id(), ValkeyClusterHandle.shardOf(pod))));
        for (ServerView view : views) {
            if (!view.nodes().keySet().equals(live)) {
                problems.add(view.pod() + " lists " + view.nodes().keySet() + ", live are " + live);
            }
            for (NodeLine line : view.nodes().values()) {
                line.troubles().forEach(trouble -> problems.add(view.pod() + " has " + line.id() + ": " + trouble));
                line.primary()
                        .filter(primary -> !Objects.equals(shards.get(primary), shards.get(line.id())))
                        .ifPresent(primary -> problems.add(view.pod() + " sees " + line.id() + " of shard "
                                + shards.get(line.id()) + " under " + primary + " of shard " + shards.get(primary)));
                if (line.isPrimary() && line.slots().isEmpty()) {
                    problems.add(view.pod() + " sees the primary " + line.id() + " without slots");
                }
            }
            if (!view.self().isPrimary() && !"up".equals(view.replication().get("master_link_status"))) {
                problems.add(view.pod() + " is a replica without a link to its primary");
            }
        }
        return prefixed("VIEW", problems);
    }

    /**
     * CALM: for so long the operator writes nothing that is in the namespace, its audited requests say; and nobody else
     * changes, makes or deletes what the cluster owns.
     */
    public void calm(Duration duration) {
        List<String> problems = unrest(duration);
        if (!problems.isEmpty()) {
            throw new ScenarioFailure("CALM: " + String.join("; ", problems));
        }
    }

    /** As {@link #calm}, where something is still being cleared away at first: calm comes within {@code limit}. */
    public void calmWithin(Duration limit, Duration duration) {
        Patience.untilNone(limit, "CALM", () -> unrest(duration));
    }

    private List<String> unrest(Duration duration) {
        long position = audit.position();
        SortedMap<String, String> before = owned();
        Patience.pause(duration);
        SortedMap<String, String> after = owned();
        List<String> problems = new ArrayList<>();
        audit.since(position).stream()
                .filter(request -> request.isWrite() && request.namespace().equals(cluster.namespace()))
                .forEach(request -> problems.add("the operator wrote: " + request));
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            String was = before.getOrDefault(name, "not there");
            String is = after.getOrDefault(name, "gone");
            if (!was.equals(is)) {
                problems.add(name + " was " + was + ", is " + is);
            }
        }
        return problems;
    }

    /** Resource versions of the cluster and of all that it owns. A pod's own is left out: kubelet writes there. */
    private SortedMap<String, String> owned() {
        String namespace = cluster.namespace();
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(client.genericKubernetesResources(Manifests.context(ValkeyKind.CLUSTER))
                .inNamespace(namespace)
                .list()
                .getItems());
        all.addAll(cluster.records());
        all.addAll(client.services().inNamespace(namespace).list().getItems());
        all.addAll(client.configMaps().inNamespace(namespace).list().getItems());
        all.addAll(client.secrets().inNamespace(namespace).list().getItems());
        all.addAll(client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .list()
                .getItems());
        SortedMap<String, String> versions = new TreeMap<>();
        all.forEach(object -> versions.put(
                object.getKind() + "/" + object.getMetadata().getName(),
                object.getMetadata().getResourceVersion()));
        cluster.pods()
                .forEach(pod -> versions.put(
                        "Pod/" + pod.getMetadata().getName(),
                        pod.getMetadata().getUid()
                                + pod.getMetadata().getLabels()
                                + pod.getMetadata().getAnnotations()));
        return versions;
    }

    private static Set<String> names(List<? extends HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getMetadata().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> prefixed(String check, List<String> problems) {
        return problems.stream().map(problem -> check + ": " + problem).toList();
    }
}
