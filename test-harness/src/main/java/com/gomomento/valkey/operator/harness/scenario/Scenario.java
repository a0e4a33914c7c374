package com.gomomento.valkey.operator.harness.scenario;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One test's own world: a namespace under PodSecurity {@code restricted}, cluster-wide objects under names that begin as the
 * namespace's, and a record of all that happens. Closing it deletes them, without waiting.
 */
public final class Scenario implements AutoCloseable {

    /** Server version of clusters that ask for none. */
    public static final String SERVER_VERSION = "9.1.2";

    private static final Duration FORMING = Duration.ofMinutes(2);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Bench bench;
    private final String namespace;
    private final History history;
    private final Faults faults;
    private final long auditBegin;
    private final List<ValkeyClusterHandle> clusters = new ArrayList<>();
    private final List<GenericKubernetesResource> shared = new ArrayList<>();

    private Scenario(Bench bench, String namespace) {
        this.bench = bench;
        this.namespace = namespace;
        this.history = History.of(bench.client(), namespace);
        this.faults = new Faults(bench.client(), bench.processes(), history, namespace);
        this.auditBegin = bench.audit().position();
    }

    static Scenario begin(Bench bench, String namespace) {
        bench.client().resource(namespaceObject(namespace)).create();
        return new Scenario(bench, namespace);
    }

    /** A namespace that admits restricted pods alone. */
    static Namespace namespaceObject(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                .endMetadata()
                .build();
    }

    /** What all scenarios share. */
    public Bench bench() {
        return bench;
    }

    /** Its namespace. */
    public String namespace() {
        return namespace;
    }

    /** What happened so far. */
    public History history() {
        return history;
    }

    /** What can be broken. */
    public Faults faults() {
        return faults;
    }

    /** A cluster of this shape with the usual server, not created yet. */
    public ValkeyClusterHandle handle(String name) {
        return handle(namespace, name);
    }

    /** As {@link #handle(String)}, in a namespace that the scenario made by itself. */
    public ValkeyClusterHandle handle(String otherNamespace, String name) {
        ValkeyClusterHandle handle = new ValkeyClusterHandle(bench.client(), history, otherNamespace, name);
        clusters.add(handle);
        return handle;
    }

    /** Creates a cluster with the usual server and nothing special. */
    public ValkeyClusterHandle cluster(String name, int shards, int replicasPerShard) {
        return handle(name).create(Manifests.cluster(plainConfig(), shards, replicasPerShard));
    }

    /** As {@link #cluster}, once it has settled, which may take two minutes. */
    public ValkeyClusterHandle formed(String name, int shards, int replicasPerShard) {
        ValkeyClusterHandle cluster = cluster(name, shards, replicasPerShard);
        check(cluster).settled(FORMING);
        return cluster;
    }

    /** The name of a configuration with the usual server and no directives, made at its first use. */
    public String plainConfig() {
        String name = namespace + "-plain";
        return isMade(ValkeyKind.CONFIG, name) ? name : config("plain", image(SERVER_VERSION), Map.of());
    }

    /** Makes a ValkeyConfig; returns its name. */
    public String config(String suffix, String imageRef, Map<String, Object> directives) {
        return make(ValkeyKind.CONFIG, namespace + "-" + suffix, Manifests.config(imageRef, directives));
    }

    /** The name of a ValkeyImage for this version of the server, made at its first use. */
    public String image(String version) {
        String name = namespace + "-" + version.replace('.', '-');
        return isMade(ValkeyKind.IMAGE, name) ? name : make(ValkeyKind.IMAGE, name, Manifests.image(version));
    }

    /** Makes a cluster-wide object that goes with the scenario; returns its name. */
    public String make(ValkeyKind kind, String name, Map<String, Object> spec) {
        GenericKubernetesResource object = Manifests.object(kind, "", name, spec);
        history.note("create " + kind.kind() + " " + name + " " + spec);
        bench.client()
                .genericKubernetesResources(Manifests.context(kind))
                .resource(object)
                .create();
        shared.add(object);
        return name;
    }

    /** Changes the spec of a cluster-wide object. */
    public void change(ValkeyKind kind, String name, Map<String, Object> spec) {
        history.note("patch " + kind.kind() + " " + name + " " + spec);
        bench.client()
                .genericKubernetesResources(Manifests.context(kind))
                .withName(name)
                .patch(MERGE, Serialization.asJson(Map.of("spec", spec)));
    }

    /** The checks on one of its clusters. */
    public CommonChecks check(ValkeyClusterHandle cluster) {
        return new CommonChecks(bench.client(), bench.audit(), cluster);
    }

    /** The operator's lines about this namespace. */
    public List<OperatorLog.Line> operatorLines() {
        return bench.log().of(namespace);
    }

    /** What must not happen, whatever the scenario is about: a status that contradicts itself, a step that ended in an exception. */
    public List<String> unexpected() {
        List<String> problems = new ArrayList<>();
        history.dishonest().forEach(status -> problems.add("a status contradicted itself: " + status));
        operatorLines().stream()
                .filter(line -> line.text().contains("\"stacktrace\":"))
                .forEach(line -> problems.add("a step of the operator ended in an exception: " + line.text()));
        return problems;
    }

    /** The operator's requests about this namespace, or about none, since the scenario began. */
    public List<AuditLog.Request> requests() {
        return bench.audit().since(auditBegin).stream()
                .filter(request -> request.namespace().equals(namespace)
                        || request.namespace().isEmpty())
                .toList();
    }

    /** Makes the namespace again after it was deleted. */
    public void makeNamespace() {
        bench.client().resource(namespaceObject(namespace)).create();
    }

    /** Deletes the namespace and waits until it is gone. */
    public void deleteNamespace(Duration limit) {
        history.note("delete the namespace");
        bench.client().namespaces().withName(namespace).delete();
        Patience.until(
                limit,
                "namespace " + namespace + " to be gone",
                () -> bench.client().namespaces().withName(namespace).get() == null);
    }

    /** Deletes a cluster-wide object. */
    public void delete(ValkeyKind kind, String name) {
        history.note("delete " + kind.kind() + " " + name);
        bench.client()
                .genericKubernetesResources(Manifests.context(kind))
                .withName(name)
                .delete();
        shared.removeIf(object -> object.getKind().equals(kind.kind())
                && object.getMetadata().getName().equals(name));
    }

    /** Its clusters, for the timeline. */
    List<ValkeyClusterHandle> clusters() {
        return List.copyOf(clusters);
    }

    @Override
    public void close() {
        history.close();
        bench.client().namespaces().withName(namespace).delete();
        for (GenericKubernetesResource object : shared) {
            ValkeyKind kind = List.of(ValkeyKind.values()).stream()
                    .filter(candidate -> candidate.kind().equals(object.getKind()))
                    .findFirst()
                    .orElseThrow();
            bench.client()
                    .genericKubernetesResources(Manifests.context(kind))
                    .resource(object)
                    .delete();
        }
    }

    private boolean isMade(ValkeyKind kind, String name) {
        return shared.stream()
                .anyMatch(object -> object.getKind().equals(kind.kind())
                        && object.getMetadata().getName().equals(name));
    }
}
