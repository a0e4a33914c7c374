package com.gomomento.valkey.operator.harness.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.declare.SpecResolver;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceDecoder;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped samples: a real API server takes each as it stands, and together they make whole clusters. */
class SamplesIT {

    private static final Path FOLDER = Path.of("..", "deploy", "samples");

    private static CustomResourceApi api;

    @BeforeAll
    static void connect() {
        api = CustomResourceApi.connect();
    }

    @AfterAll
    static void disconnect() {
        api.close();
    }

    static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    void appliesAsItStands(Path sample) {
        List<GenericKubernetesResource> objects = objects(sample);

        assertThat(objects).isNotEmpty();
        for (GenericKubernetesResource object : objects) {
            GenericKubernetesResource stored = tryApply(object);
            assertThat(stored.getAdditionalProperties()).containsKey("spec");
        }
    }

    @Test
    void resolvesTheSmallCluster() {
        Resolution resolution = resolve(objects(FOLDER.resolve("cluster-3x1.yaml")));

        assertThat(resolution).isInstanceOf(Resolution.Resolved.class);
        if (resolution instanceof Resolution.Resolved(ClusterSpec spec)) {
            assertThat(spec.shards()).isEqualTo(3);
            assertThat(spec.replicasPerShard()).isEqualTo(1);
            assertThat(spec.server().image()).isEqualTo("docker.io/valkey/valkey:9.1.2");
        }
    }

    @Test
    void resolvesTheSecuredClusterButForTls() throws IOException {
        List<GenericKubernetesResource> objects = new ArrayList<>();
        for (String file : List.of("image.yaml", "config.yaml", "role.yaml", "cluster-secured.yaml")) {
            objects.addAll(objects(FOLDER.resolve(file)));
        }

        assertThat(resolve(objects))
                .isEqualTo(new Resolution.Unusable(
                        "spec.tls is set, and this version of the operator does not serve TLS yet; it will not run the cluster in"
                                + " plain text instead"));
    }

    /** Resolves the one cluster among {@code objects}, each as the server would store it. */
    private static Resolution resolve(List<GenericKubernetesResource> objects) {
        SortedMap<String, Catalog.Entry<Catalog.Config>> configs = new TreeMap<>();
        SortedMap<String, Catalog.Entry<Catalog.Image>> images = new TreeMap<>();
        SortedMap<String, Catalog.Entry<Catalog.AccessRole>> roles = new TreeMap<>();
        List<ClusterDeclaration> clusters = new ArrayList<>();
        for (GenericKubernetesResource object : objects) {
            GenericKubernetesResource stored = tryApply(object);
            String name = stored.getMetadata().getName();
            switch (kind(stored)) {
                case CONFIG -> configs.put(name, ResourceDecoder.config(CustomResourceApi.customObject(stored)));
                case IMAGE -> images.put(name, ResourceDecoder.image(CustomResourceApi.customObject(stored)));
                case ROLE -> roles.put(name, ResourceDecoder.role(CustomResourceApi.customObject(stored)));
                case CLUSTER -> clusters.add(declaration(stored));
                case NODE -> throw new AssertionError("a sample is never a ValkeyNode");
            }
        }
        assertThat(clusters).hasSize(1);
        return SpecResolver.resolve(clusters.getFirst(), new Catalog(configs, images, roles), ZoneSpread.BEST_EFFORT);
    }

    private static ClusterDeclaration declaration(GenericKubernetesResource cluster) {
        return switch (ResourceDecoder.cluster(CustomResourceApi.customObject(cluster))) {
            case Decoded.Usable<ClusterDeclaration>(ClusterDeclaration declaration) -> declaration;
            case Decoded.Unusable<ClusterDeclaration>(String sentence) -> throw new AssertionError(sentence);
        };
    }

    /** As {@code kubectl apply --server-side} does, but without storing anything. */
    private static GenericKubernetesResource tryApply(GenericKubernetesResource object) {
        PatchContext apply = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("samples")
                .withForce(true)
                .withDryRun(List.of("All"))
                .withFieldValidation("Strict")
                .build();
        return api.at(kind(object), object).patch(apply, object);
    }

    private static ValkeyKind kind(GenericKubernetesResource object) {
        return Arrays.stream(ValkeyKind.values())
                .filter(kind -> kind.kind().equals(object.getKind()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(object.getKind() + " is none of our kinds"));
    }

    private static List<GenericKubernetesResource> objects(Path file) {
        return Arrays.stream(CustomResourceApi.read(file).split("(?m)^---$"))
                .map(document -> Serialization.unmarshal("---\n" + document, GenericKubernetesResource.class))
                .toList();
    }
}
