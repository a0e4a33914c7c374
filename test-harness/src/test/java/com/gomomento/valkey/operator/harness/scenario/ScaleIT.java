package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Shards and replicas come and go under a client's writes, and none that was acknowledged is lost. */
@ScenarioTest
@LeavesOperatorAlone
class ScaleIT {

    private static final Duration SCALING = Duration.ofMinutes(2);

    @Test
    void shardsOutAndIn(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);
        Canaries canaries = cluster.writeCanaries();
        try (Writer writer = cluster.startWriter()) {
            cluster.patch(Map.of("shards", 4));
            checks.settled(SCALING);
            assertThat(cluster.slotCounts()).containsExactly(4096, 4096, 4096, 4096);

            cluster.patch(Map.of("shards", 2));
            checks.settled(SCALING);
            assertThat(cluster.slotCounts()).containsExactly(8192, 8192);
            writer.stop();
            writer.assertNothingLost();
        }
        canaries.assertAll();
        assertThat(scenario.history().podNames())
                .as("nothing was replaced, two were added")
                .hasSize(8);
        checks.calm(Duration.ofSeconds(10));
    }

    /** L4: the newest wish wins in mid-migration. */
    @Test
    void aWishThatIsTakenBackHalfWay(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 0);
        CommonChecks checks = scenario.check(cluster);
        Canaries canaries = cluster.writeCanaries();
        try (Writer writer = cluster.startWriter()) {
            cluster.patch(Map.of("shards", 6));
            cluster.awaitMessage("moved ", SCALING);
            Patience.until(SCALING, "a first move", () -> cluster.view().servingShards() > 3);
            cluster.patch(Map.of("shards", 3));
            checks.settled(SCALING);
            writer.stop();
            writer.assertNothingLost();
        }
        assertThat(cluster.slotCounts()).containsExactly(5461, 5461, 5462);
        canaries.assertAll();
    }

    @Test
    void replicasAwayAndBack(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);
        try (Writer writer = cluster.startWriter()) {
            cluster.patch(Map.of("replicasPerShard", 0));
            checks.settled(SCALING);
            cluster.patch(Map.of("replicasPerShard", 2));
            checks.settled(SCALING);
            writer.stop();
            writer.assertNothingLost();
            assertThat(writer.failures()).isEmpty();
        }
    }
}
