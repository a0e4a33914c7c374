package com.gomomento.valkey.operator.harness.scenario;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** B48, as far as bootstrap goes: two operators form the same clusters, and one right cluster each results. */
@ScenarioTest
@DisturbsOperator
class TwoOperatorsIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void bothAtWork(Scenario scenario) {
        Operator operator = scenario.bench().operator();
        operator.scale(2);
        try {
            List<ValkeyClusterHandle> clusters = List.of(
                    scenario.cluster("single", 1, 0),
                    scenario.cluster("pair", 1, 1),
                    scenario.cluster("halves", 2, 0),
                    scenario.cluster("large", 3, 1));
            Expectations.formedOnce(scenario, clusters, LIMIT);
            Patience.pause(Duration.ofSeconds(5));
            Expectations.formedOnce(scenario, clusters, LIMIT);
        } finally {
            operator.scale(1);
        }
    }

    @Test
    void oneWakesUpLate(Scenario scenario) {
        Operator operator = scenario.bench().operator();
        operator.scale(2);
        try {
            List<Long> sleeper = operator.processesOfOne();
            ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
            Patience.until(LIMIT, "half of the pods", () -> cluster.pods().size() >= 3);
            HostProcesses.signal(HostProcesses.Signal.STOP, sleeper);
            scenario.history().note("one operator frozen");
            try {
                Expectations.formedOnce(scenario, List.of(cluster), LIMIT);
            } finally {
                HostProcesses.signal(HostProcesses.Signal.CONT, sleeper);
                scenario.history().note("operator thawed");
            }
            Patience.throughout(
                    Duration.ofSeconds(5),
                    "what the late operator does",
                    () -> scenario.check(cluster).count());
            Expectations.formedOnce(scenario, List.of(cluster), LIMIT);
        } finally {
            operator.scale(1);
        }
    }
}
