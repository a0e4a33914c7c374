package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** B04: pods that the API server refuses or the scheduler can't place are told in its words, and come once they can. */
@ScenarioTest
@LeavesOperatorAlone
class BlockedPodsIT {

    private static final Duration TELLING = Duration.ofSeconds(60);
    private static final Duration HEALING = Duration.ofSeconds(60);
    private static final Duration HOLD = Duration.ofSeconds(25);

    @Test
    void quotaIsExceeded(Scenario scenario) {
        scenario.faults().limitPods(4);
        ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
        ClusterView told = cluster.awaitMessage("exceeded quota", TELLING);
        assertThat(told.state()).isEqualTo("Creating");
        assertThat(told.message()).contains("pods=4");
        long begin = scenario.bench().audit().position();
        Patience.pause(HOLD);
        assertThat(scenario.bench().audit().since(begin))
                .filteredOn(request -> request.verb().equals("create")
                        && request.resource().equals("pods")
                        && request.namespace().equals(scenario.namespace()))
                .as("about one try a pod in 10 s")
                .hasSizeBetween(2, 8);
        assertThat(cluster.view().formedAt())
                .as("nothing is formed of four out of six")
                .isEmpty();
        scenario.faults().limitPods(100);
        Expectations.formedOnce(scenario, List.of(cluster), HEALING);
    }

    @Test
    void containerIsTooLargeForTheNamespace(Scenario scenario) {
        scenario.faults().limitMemory("64Mi");
        ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 1);
        cluster.awaitMessage("maximum memory usage per Container is 64Mi", TELLING);
        scenario.faults().limitMemory("1Gi");
        Expectations.formedOnce(scenario, List.of(cluster), HEALING);
    }

    @Test
    void noNodeFits(Scenario scenario) {
        String label = "example.com/" + scenario.namespace();
        ValkeyClusterHandle cluster = scenario.handle("shop");
        cluster.create(Map.of(
                "configRef",
                scenario.plainConfig(),
                "shards",
                3,
                "placement",
                Map.of("nodeSelector", Map.of(label, "here"))));
        ClusterView told = cluster.awaitMessage("cannot be scheduled", TELLING);
        String reason = "didn't match Pod's node affinity/selector";
        assertThat(told.message()).contains(reason);
        assertThat(scenario.operatorLines())
                .filteredOn(line -> line.says("bootstrap blocked: pod cannot be scheduled"))
                .isNotEmpty()
                .allMatch(line -> line.text().contains(reason));
        scenario.faults().labelNodes(label, "here");
        try {
            Expectations.formedOnce(scenario, List.of(cluster), HEALING);
        } finally {
            scenario.faults().unlabelNodes(label);
        }
    }
}
