package com.gomomento.valkey.operator.harness.scenario;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever drains machines evicts every pod as soon as its PodDisruptionBudget lets it. */
@ScenarioTest
@LeavesOperatorAlone
class DrainIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void everyPodIsEvictedAsSoonAsItMayBeAndNoDataIsLost(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 2, 1);
        Canaries canaries = cluster.writeCanaries();
        List<Pod> before = cluster.livePods();
        for (Pod pod : before) {
            Patience.until(
                    LIMIT,
                    "the budget to let " + pod.getMetadata().getName() + " go",
                    () -> scenario.faults().evict(pod));
        }
        scenario.check(cluster).settled(LIMIT);
        canaries.assertAll();
    }
}
