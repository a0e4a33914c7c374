package com.gomomento.valkey.operator.harness.crd;

import com.gomomento.valkey.operator.kubernetes.resource.CustomObject;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The API server under test, with the shipped CustomResourceDefinitions, and a namespace of its own to work in. */
final class CustomResourceApi implements AutoCloseable {

    static final Path DEFINITIONS = Path.of("..", "deploy", "crds");
    private static final PatchContext DRY_RUN = new PatchContext.Builder()
            .withPatchType(PatchType.JSON)
            .withDryRun(List.of("All"))
            .build();
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final String namespace;
    private final Random random = new Random();

    private CustomResourceApi(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Connects to the server that {@code KUBECONFIG} names and applies the definitions. */
    static CustomResourceApi connect() {
        if (System.getenv("KUBECONFIG") == null) {
            throw new AssertionError(
                    "KUBECONFIG is not set; run through ./dev test it, or name an API server to test on");
        }
        KubernetesClient client = new KubernetesClientBuilder().build();
        CustomResourceApi api = new CustomResourceApi(client, "crd-" + hex(new Random()));
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(api.namespace)
                        .endMetadata()
                        .build())
                .create();
        api.applyDefinitions();
        return api;
    }

    String namespace() {
        return namespace;
    }

    KubernetesClient client() {
        return client;
    }

    /** A name that no other object has. */
    String freshName() {
        return "case-" + hex(random);
    }

    /** What the server would store; nothing is stored. */
    GenericKubernetesResource tryCreate(GenericKubernetesResource object, ValkeyKind kind) {
        return at(kind, object).dryRun().create();
    }

    GenericKubernetesResource create(GenericKubernetesResource object, ValkeyKind kind) {
        return at(kind, object).create();
    }

    void delete(GenericKubernetesResource object, ValkeyKind kind) {
        at(kind, object).withGracePeriod(0).delete();
    }

    /** What the server would store if the spec were replaced; nothing is. */
    GenericKubernetesResource tryReplaceSpec(
            GenericKubernetesResource object, ValkeyKind kind, Map<String, Object> spec) {
        return at(kind, object)
                .patch(DRY_RUN, Serialization.asJson(List.of(Map.of("op", "replace", "path", "/spec", "value", spec))));
    }

    /** Merges a status through the subresource. */
    GenericKubernetesResource mergeStatus(
            GenericKubernetesResource object, ValkeyKind kind, Map<String, Object> status) {
        return at(kind, object).subresource("status").patch(MERGE, Serialization.asJson(Map.of("status", status)));
    }

    /** An object of {@code kind} with this spec, not sent yet. */
    GenericKubernetesResource object(ValkeyKind kind, String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(ValkeyKind.API_VERSION);
        object.setKind(kind.kind());
        object.setMetadata(new ObjectMetaBuilder().withName(name).build());
        if (kind.namespaced()) {
            object.getMetadata().setNamespace(namespace);
        }
        object.setAdditionalProperty("spec", spec);
        return object;
    }

    Resource<GenericKubernetesResource> at(ValkeyKind kind, GenericKubernetesResource object) {
        var resources = client.genericKubernetesResources(context(kind));
        return kind.namespaced()
                ? resources.inNamespace(object.getMetadata().getNamespace()).resource(object)
                : resources.resource(object);
    }

    /** The object as the operator's own decoder takes it. */
    static CustomObject customObject(GenericKubernetesResource object) {
        ObjectMeta metadata = object.getMetadata();
        return new CustomObject(
                Optional.ofNullable(metadata.getNamespace()).orElse(""),
                metadata.getName(),
                Optional.ofNullable(metadata.getUid()).orElse(""),
                Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                metadata.getDeletionTimestamp() != null,
                object.getAdditionalProperties());
    }

    private static ResourceDefinitionContext context(ValkeyKind kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(ValkeyKind.GROUP)
                .withVersion(ValkeyKind.VERSION)
                .withKind(kind.kind())
                .withPlural(kind.plural())
                .withNamespaced(kind.namespaced())
                .build();
    }

    @Override
    public void close() {
        client.namespaces().withName(namespace).delete();
        client.close();
    }

    private void applyDefinitions() {
        try (Stream<Path> files = Files.list(DEFINITIONS)) {
            List<CustomResourceDefinition> definitions = files.sorted()
                    .map(file -> Serialization.unmarshal(read(file), CustomResourceDefinition.class))
                    .toList();
            definitions.forEach(
                    definition -> client.resource(definition).forceConflicts().serverSideApply());
            definitions.forEach(definition -> client.resource(definition)
                    .waitUntilCondition(CustomResourceApi::established, 30, TimeUnit.SECONDS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean established(CustomResourceDefinition definition) {
        return definition.getStatus() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hex(Random random) {
        return String.format("%08x", random.nextInt());
    }
}
