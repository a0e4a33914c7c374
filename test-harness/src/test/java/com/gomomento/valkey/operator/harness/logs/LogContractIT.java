package com.gomomento.valkey.operator.harness.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.scenario.Bench;
import com.gomomento.valkey.operator.harness.scenario.LeavesOperatorAlone;
import com.gomomento.valkey.operator.harness.scenario.Manifests;
import com.gomomento.valkey.operator.harness.scenario.OperatorLog;
import com.gomomento.valkey.operator.harness.scenario.Patience;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import com.gomomento.valkey.operator.harness.scenario.ValkeyClusterHandle;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What docs/LOGGING.md promises, on the lines of the shipped operator. */
@ScenarioTest
@LeavesOperatorAlone
class LogContractIT {

    private static final List<String> HEARTBEATS = List.of("ACL reconcile tick", "TLS reconcile tick", "active tick");
    private static final Duration FORMED = Duration.ofMinutes(2);
    private static final Duration TWO_BEATS = Duration.ofMinutes(3);

    /** Half a minute, and as much again for a machine that is busy. */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(60);

    private static final Duration SHORTEST_MEAN = Duration.ofSeconds(25);

    @Test
    void tellsTwoClustersOfOneNameApartAndBeatsForEach(Scenario scenario) {
        String other = scenario.namespace() + "-other";
        scenario.bench()
                .client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(other)
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build())
                .create();
        try {
            ValkeyClusterHandle first = scenario.cluster("twin", 2, 1);
            ValkeyClusterHandle second =
                    scenario.handle(other, "twin").create(Manifests.cluster(scenario.plainConfig(), 1, 0));
            scenario.check(first).settled(FORMED);
            scenario.check(second).settled(FORMED);

            beats(scenario.bench(), first, 2, 4);
            beats(scenario.bench(), second, 1, 1);
            steps(scenario.bench(), first, 4);
            steps(scenario.bench(), second, 1);
        } finally {
            scenario.bench().client().namespaces().withName(other).delete();
        }
    }

    @Test
    void everyLineOfTheRunIsOneJsonObject(Bench bench) {
        List<OperatorLog.Line> lines = bench.log().lines();

        assertThat(LogLine.problems(lines, onStandardError -> false)).isEmpty();
    }

    private static void beats(Bench bench, ValkeyClusterHandle cluster, int shards, int nodes) {
        for (String heartbeat : HEARTBEATS) {
            List<LogLine> beats = Patience.untilFound(
                    TWO_BEATS,
                    "three times '" + heartbeat + "' for " + cluster.namespace(),
                    () -> Optional.of(lines(bench, cluster, heartbeat)).filter(found -> found.size() >= 3));
            List<Duration> gaps = gaps(beats);
            assertThat(gaps).as(heartbeat).allSatisfy(gap -> assertThat(gap).isLessThan(LONGEST_GAP));
            // One beat that comes late does not move the next: the rhythm is that of all together.
            assertThat(gaps.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(gaps.size()))
                    .as(heartbeat)
                    .isGreaterThan(SHORTEST_MEAN);
            assertThat(beats).allSatisfy(beat -> assertThat(beat.level()).isEqualTo("INFO"));
        }
        assertThat(lines(bench, cluster, "active tick")).allSatisfy(tick -> {
            assertThat(tick.field("shards").isInt()).isTrue();
            assertThat(tick.field("shards").asInt()).isEqualTo(shards);
            assertThat(tick.field("nodes").asInt()).isEqualTo(nodes);
        });
    }

    private static List<Duration> gaps(List<LogLine> lines) {
        List<Duration> gaps = new ArrayList<>();
        Instant last = lines.getFirst().at();
        for (LogLine line : lines.subList(1, lines.size())) {
            gaps.add(Duration.between(last, line.at()));
            last = line.at();
        }
        return gaps;
    }

    /** One line an action, none for what was not done. */
    private static void steps(Bench bench, ValkeyClusterHandle cluster, int pods) {
        List<String> made = lines(bench, cluster, "creating Pod for node").stream()
                .map(line -> line.field("pod").asText())
                .toList();
        assertThat(made)
                .containsExactlyInAnyOrderElementsOf(cluster.pods().stream()
                        .map(pod -> pod.getMetadata().getName())
                        .toList())
                .hasSize(pods);
        assertThat(bench.audit().since(0))
                .filteredOn(request -> request.namespace().equals(cluster.namespace())
                        && request.resource().equals("pods")
                        && request.verb().equals("create")
                        && request.code() == 201)
                .hasSize(pods);
        assertThat(lines(bench, cluster, "creating headless Service")).hasSize(1);
        assertThat(lines(bench, cluster, "cluster formed, transitioning to Active"))
                .hasSize(1);
        assertThat(lines(bench, cluster, "cluster meet issued").stream()
                        .map(line -> line.field("node").asText()
                                + line.field("peers").asText()))
                .doesNotHaveDuplicates();
    }

    private static List<LogLine> lines(Bench bench, ValkeyClusterHandle cluster, String message) {
        return bench.log().of(cluster.namespace()).stream()
                .flatMap(line -> LogLine.parse(line.text()).stream())
                .filter(line -> line.message().equals(message))
                .filter(line -> line.cluster().equals(Optional.of(cluster.name() + "." + cluster.namespace())))
                .toList();
    }
}
