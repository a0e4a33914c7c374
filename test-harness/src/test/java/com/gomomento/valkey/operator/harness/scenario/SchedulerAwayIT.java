package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** B04 d: a pod of which nobody has said yet whether it can be placed is neither placed nor refused. */
@ScenarioTest
@DisturbsOperator
class SchedulerAwayIT {

    @Test
    void podsWithoutAnyCondition(Scenario scenario) {
        List<Long> scheduler = scenario.bench().processes().daemon("scheduler");
        HostProcesses.signal(HostProcesses.Signal.STOP, scheduler);
        ValkeyClusterHandle cluster;
        try {
            cluster = scenario.cluster("shop", 1, 1);
            ClusterView told = cluster.awaitMessage("nodes to start", Duration.ofSeconds(30));
            assertThat(told.message())
                    .contains("waiting for 2 of 2 nodes to start")
                    .doesNotContain("scheduled");
            assertThat(cluster.pods())
                    .hasSize(2)
                    .allMatch(pod -> pod.getStatus().getConditions().isEmpty());
            assertThat(told.formedAt()).isEmpty();
        } finally {
            HostProcesses.signal(HostProcesses.Signal.CONT, scheduler);
        }
        Expectations.formedOnce(scenario, List.of(cluster), Duration.ofSeconds(60));
        assertThat(scenario.operatorLines()).noneMatch(line -> line.says("bootstrap blocked: pod cannot be scheduled"));
    }
}
