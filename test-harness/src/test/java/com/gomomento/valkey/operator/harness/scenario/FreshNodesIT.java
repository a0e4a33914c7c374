package com.gomomento.valkey.operator.harness.scenario;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** B02: servers that were just introduced and are slow to answer stay introduced, however often they are looked at. */
@ScenarioTest
@LeavesOperatorAlone
class FreshNodesIT {

    private static final Duration MEETING = Duration.ofSeconds(90);
    private static final Duration FROZEN = Duration.ofSeconds(2);
    private static final Duration FORMING = Duration.ofSeconds(90);

    @Test
    void frozenRightAfterTheirIntroduction(Scenario scenario) throws InterruptedException {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
        Thread touching = Thread.ofVirtual().start(() -> touch(cluster));
        try {
            Patience.until(
                    MEETING,
                    "the introduction",
                    () -> scenario.operatorLines().stream().anyMatch(line -> line.says("cluster meet issued")));
            cluster.livePods().forEach(scenario.faults()::freeze);
            Patience.pause(FROZEN);
            cluster.livePods().forEach(scenario.faults()::thaw);
            Expectations.formedOnce(scenario, List.of(cluster), FORMING);
        } finally {
            touching.interrupt();
            touching.join();
        }
    }

    /** Ten times a second, so that reconciles come fast. */
    private static void touch(ValkeyClusterHandle cluster) {
        int count = 0;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                cluster.annotate("example.com/touched", Integer.toString(count++));
                Thread.sleep(Duration.ofMillis(100));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
