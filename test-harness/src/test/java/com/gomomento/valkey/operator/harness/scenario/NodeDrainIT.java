package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@code kubectl drain} itself, with a writer: it waits for the budget, and clients lose nothing. */
@ScenarioTest
@DisturbsOperator
class NodeDrainIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void aNodeIsEmptiedUnderWrites(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        Canaries canaries = cluster.writeCanaries();
        String node = cluster.member(0, true).getSpec().getNodeName();
        Kubectl kubectl = scenario.bench().kubectl();
        try (Writer writer = cluster.startWriter()) {
            kubectl.run(
                    "drain",
                    node,
                    "--pod-selector=app.kubernetes.io/instance=shop",
                    "--delete-emptydir-data",
                    "--timeout=55s");
            scenario.check(cluster).settled(LIMIT);
            writer.stop();
            writer.assertNothingLost();
        } finally {
            kubectl.run("uncordon", node);
        }
        assertThat(cluster.pods()).noneMatch(pod -> node.equals(pod.getSpec().getNodeName()));
        canaries.assertAll();
    }
}
