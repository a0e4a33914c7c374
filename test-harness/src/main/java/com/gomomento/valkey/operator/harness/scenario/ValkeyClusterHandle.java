package com.gomomento.valkey.operator.harness.scenario;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One ValkeyCluster: what its user and its clients can do with it, and what can be seen of it from outside. */
public final class ValkeyClusterHandle {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final History history;
    private final String namespace;
    private final String name;

    ValkeyClusterHandle(KubernetesClient client, History history, String namespace, String name) {
        this.client = client;
        this.history = history;
        this.namespace = namespace;
        this.name = name;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Its namespace. */
    public String namespace() {
        return namespace;
    }

    /** Creates it. */
    public ValkeyClusterHandle create(Map<String, Object> spec) {
        history.note("create " + name + " " + spec);
        resource(Manifests.object(ValkeyKind.CLUSTER, namespace, name, spec)).create();
        return this;
    }

    /** Changes fields of its spec, as {@code kubectl patch --type=merge} does; returns the new generation. */
    public long patch(Map<String, ?> spec) {
        history.note("patch " + name + " " + spec);
        GenericKubernetesResource patched = named().patch(MERGE, Serialization.asJson(Map.of("spec", spec)));
        return patched.getMetadata().getGeneration();
    }

    /** Sets an annotation on it, which changes no generation. */
    public void annotate(String key, String value) {
        named().patch(MERGE, Serialization.asJson(Map.of("metadata", Map.of("annotations", Map.of(key, value)))));
    }

    /** Deletes it, and returns at once. */
    public void delete() {
        history.note("delete " + name);
        named().delete();
    }

    /** As it stands. */
    public ClusterView view() {
        return find().orElseThrow(() -> new ScenarioFailure("ValkeyCluster " + name + " is not there"));
    }

    /** As it stands, if it is there. */
    public Optional<ClusterView> find() {
        return Optional.ofNullable(named().get()).map(ClusterView::of);
    }

    /** Its pods, whatever their phase. */
    public List<Pod> pods() {
        return client.pods()
                .inNamespace(namespace)
                .withLabel("app.kubernetes.io/instance", name)
                .list()
                .getItems();
    }

    /** Names of {@link #pods()}. */
    public Set<String> podNames() {
        return pods().stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
    }

    /** Its pods in which a server runs and is to run on. */
    public List<Pod> livePods() {
        return pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null
                        && pod.getStatus() != null
                        && "Running".equals(pod.getStatus().getPhase()))
                .toList();
    }

    /** One of its pods. */
    public Pod pod(String podName) {
        return Optional.ofNullable(
                        client.pods().inNamespace(namespace).withName(podName).get())
                .orElseThrow(() -> new ScenarioFailure("pod " + podName + " is not there"));
    }

    /** Its ValkeyNodes. */
    public List<GenericKubernetesResource> records() {
        return client
                .genericKubernetesResources(Manifests.context(ValkeyKind.NODE))
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .filter(record -> name.equals(Json.text(record, "spec", "clusterName")))
                .toList();
    }

    /** Addresses of its live pods, for clients. */
    public List<String> addresses() {
        return livePods().stream().map(pod -> pod.getStatus().getPodIP()).toList();
    }

    /**
     * What every live node says, by pod.
     *
     * @throws UncheckedIOException naming the pod, if one does not answer
     */
    public SortedMap<String, ServerView> ask() {
        return ask(Optional.empty());
    }

    /** As {@link #ask()}, logged in. */
    public SortedMap<String, ServerView> ask(Optional<ServerView.Login> login) {
        SortedMap<String, ServerView> views = new TreeMap<>();
        for (Pod pod : livePods()) {
            views.put(pod.getMetadata().getName(), ask(pod, login));
        }
        return views;
    }

    private static ServerView ask(Pod pod, Optional<ServerView.Login> login) {
        String podName = pod.getMetadata().getName();
        try {
            return ServerView.ask(podName, pod.getStatus().getPodIP(), login);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    new IOException("pod " + podName + " does not answer: " + e.getMessage(), e));
        }
    }

    /** How many slots each server with any says it owns, in ascending order. */
    public List<Integer> slotCounts() {
        return ask().values().stream()
                .map(view -> view.self().slotCount())
                .filter(count -> count > 0)
                .sorted()
                .toList();
    }

    /** The operator's own login, from the Secret that it made. */
    public ServerView.Login operatorLogin() {
        Secret secret = client.secrets()
                .inNamespace(namespace)
                .withName(name + "-internal")
                .require();
        String password = new String(
                Base64.getDecoder().decode(secret.getData().get("operator-password")), StandardCharsets.UTF_8);
        return new ServerView.Login("_operator", password);
    }

    /** A pod of this shard that has this role in its own view. */
    public Pod member(int shard, boolean primary) {
        return livePods().stream()
                .filter(pod -> shardOf(pod) == shard)
                .filter(pod -> ask(pod, Optional.empty()).self().isPrimary() == primary)
                .findFirst()
                .orElseThrow(() -> new ScenarioFailure(
                        "shard " + shard + " of " + name + " has no live " + (primary ? "primary" : "replica")));
    }

    /** The shard that a pod was made for, by its label. */
    public static int shardOf(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getLabels().get("valkey.gomomento.com/shard"));
    }

    /** Waits until {@code status.state} is this one at the present generation; returns the status. */
    public ClusterView awaitState(String state, Duration limit) {
        return Patience.untilFound(
                limit,
                name + " to be " + state,
                () -> find().filter(
                                view -> view.state().equals(state) && view.observedGeneration() == view.generation()));
    }

    /** Waits until {@code status.message} holds this text; returns the status. */
    public ClusterView awaitMessage(String part, Duration limit) {
        return Patience.untilFound(
                limit,
                "the message of " + name + " to tell '" + part + "'",
                () -> find().filter(view -> view.message().contains(part)));
    }

    /** A writer that begins at once; stop it before its ledger is read. */
    public Writer startWriter() {
        return new Writer(this::addresses);
    }

    /** Writes the canaries, which are checked later. */
    public Canaries writeCanaries() {
        Canaries canaries = new Canaries(this::addresses);
        canaries.write();
        return canaries;
    }

    private Resource<GenericKubernetesResource> resource(GenericKubernetesResource object) {
        return client.genericKubernetesResources(Manifests.context(ValkeyKind.CLUSTER))
                .inNamespace(namespace)
                .resource(object);
    }

    private Resource<GenericKubernetesResource> named() {
        return client.genericKubernetesResources(Manifests.context(ValkeyKind.CLUSTER))
                .inNamespace(namespace)
                .withName(name);
    }
}
