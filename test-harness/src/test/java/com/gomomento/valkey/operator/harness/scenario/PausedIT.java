package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A pause holds a change wherever it stands; its end carries the change on, and clients notice neither. */
@ScenarioTest
@LeavesOperatorAlone
class PausedIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration HOLD = Duration.ofSeconds(8);

    /** A move that a server has begun ends by itself. */
    private static final Duration LAST_MOVE = Duration.ofSeconds(3);

    @Test
    void whileSlotsMove(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 2, 0);
        Canaries canaries = cluster.writeCanaries();
        try (Writer writer = cluster.startWriter()) {
            cluster.patch(Map.of("shards", 5));
            cluster.awaitMessage("moved ", LIMIT);
            pause(cluster);
            Patience.pause(LAST_MOVE);
            List<Integer> held = cluster.slotCounts();
            holds(scenario, cluster);
            assertThat(cluster.slotCounts()).isEqualTo(held);

            resume(scenario, cluster);
            writer.stop();
            writer.assertNothingLost();
        }
        assertThat(cluster.slotCounts()).containsExactly(3276, 3277, 3277, 3277, 3277);
        canaries.assertAll();
    }

    @Test
    void whileMembersAreReplaced(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 2, 1);
        Set<String> before = cluster.podNames();
        Canaries canaries = cluster.writeCanaries();
        try (Writer writer = cluster.startWriter()) {
            scenario.change(ValkeyKind.CONFIG, scenario.plainConfig(), Map.of("valkey", Map.of("databases", "3")));
            Patience.until(LIMIT, "a first successor", () -> !before.containsAll(cluster.podNames()));
            pause(cluster);
            holds(scenario, cluster);
            assertThat(cluster.podNames()).as("not yet replaced").containsAnyElementsOf(before);

            resume(scenario, cluster);
            writer.stop();
            writer.assertNothingLost();
        }
        assertThat(cluster.podNames()).doesNotContainAnyElementsOf(before);
        canaries.assertAll();
    }

    private static void pause(ValkeyClusterHandle cluster) {
        long generation = cluster.patch(Map.of("paused", true));
        Patience.until(LIMIT, "the pause to be seen", () -> cluster.view().observedGeneration() == generation);
        assertThat(cluster.view().message()).contains("nothing is changed while spec.paused is true");
    }

    /** Nothing is written in the namespace but the cluster's own status. */
    private static void holds(Scenario scenario, ValkeyClusterHandle cluster) {
        long begin = scenario.bench().audit().position();
        Set<String> pods = cluster.podNames();
        Patience.pause(HOLD);
        assertThat(cluster.podNames()).isEqualTo(pods);
        assertThat(scenario.bench().audit().since(begin))
                .filteredOn(request -> request.isWrite() && request.namespace().equals(scenario.namespace()))
                .allMatch(request -> request.resource().equals("valkeyclusters/status"));
    }

    private static void resume(Scenario scenario, ValkeyClusterHandle cluster) {
        cluster.patch(Map.of("paused", false));
        scenario.check(cluster).settled(LIMIT);
    }
}
