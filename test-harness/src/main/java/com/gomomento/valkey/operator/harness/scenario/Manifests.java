package com.gomomento.valkey.operator.harness.scenario;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Map;
import java.util.TreeMap;

/** Custom resources as users write them. */
public final class Manifests {

    private Manifests() {}

    /** Any kind; cluster-scoped ones pass an empty namespace. */
    public static GenericKubernetesResource object(
            ValkeyKind kind, String namespace, String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(ValkeyKind.API_VERSION);
        object.setKind(kind.kind());
        ObjectMetaBuilder metadata = new ObjectMetaBuilder().withName(name);
        if (!namespace.isEmpty()) {
            metadata.withNamespace(namespace);
        }
        object.setMetadata(metadata.build());
        object.setAdditionalProperty("spec", new TreeMap<>(spec));
        return object;
    }

    /** How the client addresses objects of a kind. */
    static ResourceDefinitionContext context(ValkeyKind kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(ValkeyKind.GROUP)
                .withVersion(ValkeyKind.VERSION)
                .withKind(kind.kind())
                .withPlural(kind.plural())
                .withNamespaced(kind.namespaced())
                .build();
    }

    /** The spec of a registered image of this server's version, as {@code ./dev} makes it. */
    public static Map<String, Object> image(String version) {
        return Map.of("repository", "docker.io/valkey/valkey", "tag", version, "version", version);
    }

    /** The spec of a small configuration. */
    public static Map<String, Object> config(String imageRef, Map<String, Object> directives) {
        return Map.of("imageRef", imageRef, "resources", Map.of("cpu", "100m", "memory", "96Mi"), "valkey", directives);
    }

    /** The spec of a plain cluster. */
    public static Map<String, Object> cluster(String configRef, int shards, int replicasPerShard) {
        return Map.of("configRef", configRef, "shards", shards, "replicasPerShard", replicasPerShard);
    }
}
