package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Inputs that can't be used are told and change nothing that runs; once they are right, all is well again. */
@ScenarioTest
@LeavesOperatorAlone
class InputIT {

    private static final Duration TELLING = Duration.ofSeconds(30);
    private static final Duration HEALING = Duration.ofSeconds(90);

    @Test
    void missingConfig(Scenario scenario) {
        String name = scenario.namespace() + "-later";
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(name, 1, 0));
        ClusterView invalid = cluster.awaitState("Invalid", TELLING);
        assertThat(invalid.message()).contains(name);
        assertThat(cluster.pods()).isEmpty();
        scenario.config("later", scenario.image(Scenario.SERVER_VERSION), Map.of());
        scenario.check(cluster).settled(HEALING);
    }

    @Test
    void cyclicConfig(Scenario scenario) {
        String first = scenario.namespace() + "-first";
        String second = scenario.namespace() + "-second";
        Map<String, Object> based = new HashMap<>(Manifests.config(scenario.image(Scenario.SERVER_VERSION), Map.of()));
        based.put("baseRef", second);
        scenario.make(ValkeyKind.CONFIG, first, based);
        scenario.make(ValkeyKind.CONFIG, second, Map.of("baseRef", first));
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(first, 1, 0));
        ClusterView invalid = cluster.awaitState("Invalid", TELLING);
        assertThat(invalid.message()).contains(first).contains(second);
        Map<String, Object> cut = new HashMap<>();
        cut.put("baseRef", null);
        scenario.change(ValkeyKind.CONFIG, second, cut);
        scenario.check(cluster).settled(HEALING);
    }

    @Test
    void unregisteredImage(Scenario scenario) {
        String image = scenario.namespace() + "-" + Scenario.SERVER_VERSION.replace('.', '-');
        String config = scenario.config("own", image, Map.of());
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(config, 1, 0));
        ClusterView invalid = cluster.awaitState("Invalid", TELLING);
        assertThat(invalid.message()).contains(image);
        scenario.image(Scenario.SERVER_VERSION);
        scenario.check(cluster).settled(HEALING);
    }

    @Test
    void configDeletedUnderAServingCluster(Scenario scenario) {
        String image = scenario.image(Scenario.SERVER_VERSION);
        String config = scenario.config("own", image, Map.of());
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(config, 3, 1));
        CommonChecks checks = scenario.check(cluster);
        checks.settled(HEALING);
        Canaries canaries = cluster.writeCanaries();

        scenario.delete(ValkeyKind.CONFIG, config);
        assertThat(cluster.awaitState("Invalid", TELLING).message()).contains(config);
        checks.calm(Duration.ofSeconds(5));
        Pod lost = cluster.member(1, false);
        scenario.faults().kill(lost);
        checks.replacedThough(lost, "Invalid", HEALING);
        assertThat(cluster.view().state()).isEqualTo("Invalid");
        canaries.assertAll();

        scenario.config("own", image, Map.of());
        checks.settled(HEALING);
        assertThat(scenario.history().podNames())
                .as("only the lost pod was replaced")
                .hasSize(7);
    }

    @Test
    void serverThatRefusesItsConfiguration(Scenario scenario) {
        String image = scenario.image(Scenario.SERVER_VERSION);
        String config = scenario.config("own", image, Map.of("maxmemory-policy", "keep-everything"));
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(config, 2, 1));
        ClusterView failed = cluster.awaitState("Failed", HEALING);
        assertThat(failed.message()).contains("maxmemory-policy").contains("keep-everything");
        Patience.until(
                TELLING,
                "three ended pods, kept as evidence",
                () -> cluster.pods().size() == 3 && cluster.livePods().isEmpty());
        scenario.check(cluster).calmWithin(TELLING, Duration.ofSeconds(10));
        scenario.change(ValkeyKind.CONFIG, config, Map.of("valkey", Map.of("maxmemory-policy", "noeviction")));
        scenario.check(cluster).settled(HEALING);
    }

    @Test
    void imageThatCannotBePulled(Scenario scenario) {
        String image = scenario.make(
                ValkeyKind.IMAGE,
                scenario.namespace() + "-absent",
                Map.of("repository", "docker.io/valkey/valkey", "tag", "9.1.0-absent", "version", "9.1.0"));
        String config = scenario.config("own", image, Map.of());
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(config, 1, 1));
        ClusterView told = cluster.awaitMessage("cannot start: ", HEALING);
        assertThat(told.message()).containsAnyOf("ErrImagePull", "ImagePullBackOff");
        assertThat(told.state()).isEqualTo("Creating");
        scenario.change(ValkeyKind.IMAGE, image, Manifests.image(Scenario.SERVER_VERSION));
        scenario.check(cluster).settled(HEALING);
    }

    @Test
    void paused(Scenario scenario) {
        Map<String, Object> spec = new HashMap<>(Manifests.cluster(scenario.plainConfig(), 1, 1));
        spec.put("paused", true);
        ValkeyClusterHandle cluster = scenario.handle("shop").create(spec);
        Patience.until(TELLING, "a status", () -> !cluster.view().state().isEmpty());
        Patience.throughout(
                Duration.ofSeconds(5),
                "a paused cluster has pods",
                () -> cluster.pods().stream().map(History::describe).toList());
        cluster.patch(Map.of("paused", false));
        scenario.check(cluster).settled(HEALING);
        cluster.patch(Map.of("paused", true));
        Pod lost = cluster.member(0, false);
        scenario.faults().kill(lost);
        Patience.until(
                TELLING,
                "the loss to be told",
                () -> cluster.view().message().contains(lost.getMetadata().getName()));
        assertThat(cluster.pods()).hasSize(2);
        cluster.patch(Map.of("paused", false));
        scenario.check(cluster).replaced(lost, HEALING);
        assertThat(List.copyOf(scenario.history().podNames())).hasSize(3);
    }
}
