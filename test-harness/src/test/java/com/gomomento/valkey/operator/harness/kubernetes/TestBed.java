package com.gomomento.valkey.operator.harness.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A namespace of a test's own on the API server in {@code KUBECONFIG}, an administrator's client, and the adapter under
 * test. All are gone when it is closed.
 */
final class TestBed implements AutoCloseable {

    private static final Path DEFINITIONS = Path.of("..", "deploy", "crds");

    private final KubernetesClient admin;
    private final String namespace;
    private final List<Runnable> opened = new ArrayList<>();
    private final List<Journal.Entry> told = new CopyOnWriteArrayList<>();
    private final List<String> wakes = new CopyOnWriteArrayList<>();

    private TestBed(KubernetesClient admin, String namespace) {
        this.admin = admin;
        this.namespace = namespace;
    }

    static TestBed open() throws IOException {
        if (System.getenv("KUBECONFIG") == null) {
            throw new AssertionError(
                    "KUBECONFIG is not set; run through ./dev test it, or name an API server to test on");
        }
        KubernetesClient admin = new KubernetesClientBuilder().build();
        TestBed bed = new TestBed(admin, "adapter-" + hex());
        bed.applyDefinitions();
        bed.makeNamespace(bed.namespace, Map.of("pod-security.kubernetes.io/enforce", "restricted"));
        return bed;
    }

    KubernetesClient admin() {
        return admin;
    }

    String namespace() {
        return namespace;
    }

    /** What the adapter had to tell so far. */
    List<Journal.Entry> told() {
        return told;
    }

    /** Whom the adapter has woken so far, each as {@code NAME: REASON}, this namespace's only. */
    List<String> wakes() {
        return wakes;
    }

    /** A namespace besides the own one. */
    String makeNamespace(String name, Map<String, String> labels) {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .create();
        opened.add(() -> admin.namespaces().withName(name).delete());
        // A bare API server has no controller that makes it, and takes no pods without it.
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("default")
                        .withNamespace(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
        return name;
    }

    /** The adapter, connected directly, once it has listed everything. */
    Fabric8KubernetesPort port() throws InterruptedException {
        return port(Config.autoConfigure(null));
    }

    Fabric8KubernetesPort port(Config config) throws InterruptedException {
        Fabric8KubernetesPort port = Fabric8KubernetesPort.connect(config, told::add, InstantSource.system());
        opened.add(port::close);
        port.start((key, reason) -> {
            if (key.namespace().equals(namespace)) {
                wakes.add(key.name() + ": " + reason);
            }
        });
        assertThat(port.awaitSynced(Duration.ofSeconds(60)))
                .as("%s", port.health())
                .isTrue();
        return port;
    }

    Gateway gateway() throws IOException {
        Gateway gateway = new Gateway(Config.autoConfigure(null));
        opened.add(gateway::close);
        return gateway;
    }

    /** A new ValkeyCluster in the own namespace, as soon as {@code port} knows of it. */
    TestCluster cluster(Fabric8KubernetesPort port, String name) throws InterruptedException {
        return cluster(port, namespace, name, "no-such-config");
    }

    TestCluster cluster(Fabric8KubernetesPort port, String where, String name, String configRef)
            throws InterruptedException {
        create(ValkeyKind.CLUSTER, where, name, Map.of("configRef", configRef, "shards", 1));
        ClusterKey key = new ClusterKey(where, name);
        TestCluster.eventually(name + " is known", () -> port.clusters().contains(key));
        return new TestCluster(port, key);
    }

    GenericKubernetesResource create(ValkeyKind kind, String where, String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(ValkeyKind.API_VERSION);
        object.setKind(kind.kind());
        object.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(kind.namespaced() ? where : null)
                .build());
        object.setAdditionalProperty("spec", spec);
        GenericKubernetesResource made = admin.resource(object).create();
        if (!kind.namespaced()) {
            opened.add(() -> admin.resource(made).delete());
        }
        return made;
    }

    /** Objects of a custom kind in the own namespace. */
    NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> custom(ValkeyKind kind) {
        MixedOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> all =
                admin.genericKubernetesResources(ValkeyKind.API_VERSION, kind.kind());
        return all.inNamespace(namespace);
    }

    void eventuallyWoken(Predicate<String> wake) throws InterruptedException {
        TestCluster.eventually("a wake-up", () -> wakes.stream().anyMatch(wake));
    }

    static String hex() {
        byte[] bytes = new byte[4];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close() {
        opened.reversed().forEach(Runnable::run);
        admin.close();
    }

    private void applyDefinitions() throws IOException {
        try (Stream<Path> files = Files.list(DEFINITIONS)) {
            for (Path file : files.sorted().toList()) {
                CustomResourceDefinition definition =
                        Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
                var resource = admin.resource(definition);
                if (resource.get() == null) {
                    resource.serverSideApply();
                }
                admin.resources(CustomResourceDefinition.class)
                        .withName(definition.getMetadata().getName())
                        .waitUntilCondition(
                                found -> found != null
                                        && found.getStatus() != null
                                        && found.getStatus().getConditions().stream()
                                                .anyMatch(condition -> condition
                                                                .getType()
                                                                .equals("Established")
                                                        && condition.getStatus().equals("True")),
                                30,
                                TimeUnit.SECONDS);
            }
        }
    }
}
