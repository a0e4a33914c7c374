package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** While no operator runs, clusters serve on and can be deleted; the next operator mends what happened meanwhile. */
@ScenarioTest
@DisturbsOperator
class OperatorAwayIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void deletionNeedsNoOperator(Scenario scenario) {
        scenario.check(scenario.cluster("shop", 1, 1)).settled(LIMIT);
        Operator operator = scenario.bench().operator();
        operator.killAndHold();
        try {
            scenario.deleteNamespace(LIMIT);
        } finally {
            operator.scale(1);
        }
        scenario.makeNamespace();
        scenario.check(scenario.cluster("shop", 1, 1)).settled(LIMIT);
    }

    @Test
    void lossesAreMendedLater(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
        scenario.check(cluster).settled(LIMIT);
        Canaries canaries = cluster.writeCanaries();
        Operator operator = scenario.bench().operator();
        operator.killAndHold();
        Pod vanished = cluster.member(0, false);
        Pod killed = cluster.member(1, false);
        try (Writer writer = cluster.startWriter()) {
            scenario.faults().deleteAtOnce(vanished);
            scenario.faults().kill(killed);
            Patience.pause(Duration.ofSeconds(3));
            operator.scale(1);
            scenario.check(cluster).replaced(killed, LIMIT);
            writer.stop();
            assertThat(writer.acknowledged()).isGreaterThan(50);
            assertThat(writer.failures()).isEmpty();
            writer.assertNothingLost();
        } finally {
            operator.scale(1);
        }
        canaries.assertAll();
        assertThat(scenario.history().podNames()).hasSize(8);
    }

    /** An upgrade: what an older release did not note on its pods is found out, and none is replaced for it. */
    @Test
    void podsWithoutTheOperatorsNotesAreAdopted(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 2, 1);
        scenario.change(
                ValkeyKind.CONFIG,
                scenario.plainConfig(),
                Map.of("valkey", Map.of("maxmemory", "64mb", "databases", "4", "maxmemory-policy", "allkeys-lru")));
        scenario.check(cluster).settled(LIMIT);
        Set<String> before = cluster.podNames();
        Operator operator = scenario.bench().operator();
        operator.killAndHold();
        try {
            String[] notes = {
                "-n",
                scenario.namespace(),
                "annotate",
                "pods",
                "--all",
                "valkey.gomomento.com/template-",
                "valkey.gomomento.com/directives-",
                "valkey.gomomento.com/directives-told-"
            };
            scenario.bench().kubectl().run(notes);
            scenario.bench()
                    .kubectl()
                    .run("-n", scenario.namespace(), "label", "pods", "--all", "valkey.gomomento.com/node-");
            scenario.bench()
                    .kubectl()
                    .run(
                            "-n",
                            scenario.namespace(),
                            "patch",
                            "valkeycluster",
                            cluster.name(),
                            "--subresource=status",
                            "--type=json",
                            "--patch=[{\"op\":\"remove\",\"path\":\"/status/formedAt\"}]");
            operator.scale(1);
            Patience.until(
                    LIMIT,
                    "every pod to be known again",
                    () -> cluster.pods().stream()
                            .allMatch(pod -> "databases 4\nmaxmemory 64mb\nmaxmemory-policy allkeys-lru\n"
                                    .equals(pod.getMetadata()
                                            .getAnnotations()
                                            .get("valkey.gomomento.com/directives"))));
            scenario.check(cluster).settled(LIMIT);
        } finally {
            operator.scale(1);
        }
        assertThat(cluster.podNames()).isEqualTo(before);
        String[] formedAt = {
            "-n", scenario.namespace(), "get", "valkeycluster", cluster.name(), "-o", "jsonpath={.status.formedAt}"
        };
        assertThat(scenario.bench().kubectl().run(formedAt)).isNotBlank();
        assertThat(cluster.pods())
                .allMatch(pod -> pod.getMetadata().getAnnotations().containsKey("valkey.gomomento.com/template"))
                .allMatch(pod -> pod.getMetadata()
                        .getName()
                        .equals(pod.getMetadata().getLabels().get("valkey.gomomento.com/node")));
        scenario.check(cluster).calm(Duration.ofSeconds(5));
    }
}
