package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters of every shape form, and then nothing more happens. */
@ScenarioTest
@LeavesOperatorAlone
class BootstrapIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CALM = Duration.ofSeconds(20);

    @ParameterizedTest(name = "{0} x {1} on server {2}")
    @CsvSource({"1, 0, 9.1.2", "1, 1, 9.1.2", "2, 0, 9.1.2", "3, 1, 9.1.2", "6, 2, 9.1.2", "3, 1, 8.1.1"})
    void forms(int shards, int replicas, String version, Scenario scenario) {
        String config = scenario.config("own", scenario.image(version), Map.of());
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(config, shards, replicas));
        CommonChecks checks = scenario.check(cluster);
        checks.settled(LIMIT);
        assertThat(cluster.view().version()).isEqualTo(version);
        assertThat(cluster.view().servingShards()).isEqualTo(shards);
        assertThat(cluster.view().endpoint()).isEqualTo("shop." + scenario.namespace() + ".svc.cluster.local:6379");
        cluster.writeCanaries().assertAll();
        checks.calm(CALM);
    }
}
