package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * B01: the operator dies while it forms a cluster, and the next one continues from what it finds. Some moments are too short
 * to be hit for certain: there the operator is killed before, and the servers are brought to where it would have left them.
 */
@ScenarioTest
@DisturbsOperator
class InterruptedBootstrapIT {

    private static final Duration REACHING = Duration.ofSeconds(90);
    private static final Duration FORMING = Duration.ofSeconds(90);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** Where the operator left a cluster of three shards with a replica each. */
    enum Moment {
        ONE_POD,
        FORMED_WITHOUT_SLOTS,
        ONE_PRIMARY_HAS_SLOTS,
        ALL_SLOTS_AND_ONE_MEETING,
        ALL_MET_AND_NO_REPLICA
    }

    @ParameterizedTest
    @EnumSource
    void operatorKilledAt(Moment moment, Scenario scenario) throws IOException {
        Operator operator = scenario.bench().operator();
        ValkeyClusterHandle cluster = scenario.handle("shop");
        try {
            bringTo(moment, scenario, cluster);
            SortedMap<String, ServerView> left = cluster.ask();
            scenario.history().note("left by the operator at " + moment);
            operator.scale(1);
            Expectations.formedOnce(scenario, List.of(cluster), FORMING);
            SortedMap<String, ServerView> formed = cluster.ask();
            left.forEach((pod, view) -> assertThat(formed)
                    .as("what a server owned before stays with it")
                    .hasEntrySatisfying(
                            pod,
                            now -> assertThat(now.self().slots())
                                    .containsAll(view.self().slots())));
        } finally {
            operator.scale(1);
        }
    }

    @RepeatedTest(2)
    void operatorKilledAtRandom(RepetitionInfo repetition, Scenario scenario) {
        long seed = System.nanoTime() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        scenario.history().note("random kills, seed " + seed);
        Operator operator = scenario.bench().operator();
        List<ValkeyClusterHandle> clusters = List.of(
                scenario.cluster("single", 1, 0), scenario.cluster("pair", 1, 1), scenario.cluster("halves", 2, 0));
        for (int kill = 0; kill < 3; kill++) {
            Patience.pause(Duration.ofMillis(random.nextInt(2_500)));
            operator.kill();
            scenario.history().note("operator killed");
            operator.awaitRunning(1);
        }
        Expectations.formedOnce(scenario, clusters, FORMING);
    }

    /** Creates the cluster, and ends with the servers in the state that is asked for, and no operator. */
    private static void bringTo(Moment moment, Scenario scenario, ValkeyClusterHandle cluster) throws IOException {
        Operator operator = scenario.bench().operator();
        if (moment == Moment.ONE_POD) {
            scenario.faults().limitPods(1);
            cluster.create(Manifests.cluster(scenario.plainConfig(), 3, 1));
            Patience.until(REACHING, "one pod", () -> cluster.pods().size() == 1);
            operator.killAndHold();
            assertThat(cluster.pods()).hasSize(1);
            scenario.faults().limitPods(100);
            return;
        }
        cluster.create(Manifests.cluster(scenario.plainConfig(), 3, 1));
        Patience.until(REACHING, "formedAt", () -> !cluster.view().formedAt().isEmpty());
        operator.killAndHold();
        List<Pod> pods = cluster.livePods().stream()
                .sorted(Comparator.comparingInt(ValkeyClusterHandle::shardOf)
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .toList();
        assertThat(pods).hasSize(6);
        for (Pod pod : pods) {
            tell(pod, "CLUSTER", "RESET", "SOFT");
        }
        int owners = moment == Moment.FORMED_WITHOUT_SLOTS ? 0 : moment == Moment.ONE_PRIMARY_HAS_SLOTS ? 1 : 3;
        for (int shard = 0; shard < owners; shard++) {
            tell(
                    pods.get(2 * shard),
                    "CLUSTER",
                    "ADDSLOTSRANGE",
                    Integer.toString(16_384 * shard / 3),
                    Integer.toString(16_384 * (shard + 1) / 3 - 1));
        }
        int met = moment == Moment.ALL_SLOTS_AND_ONE_MEETING ? 2 : moment == Moment.ALL_MET_AND_NO_REPLICA ? 6 : 1;
        for (Pod peer : pods.subList(1, met)) {
            tell(pods.getFirst(), "CLUSTER", "MEET", peer.getStatus().getPodIP(), "6379");
        }
        Patience.until(
                REACHING,
                met + " of the servers to know each other",
                () -> cluster.ask().values().stream()
                                .filter(view -> view.nodes().size() == met)
                                .count()
                        == (met == 1 ? 6 : met));
    }

    private static void tell(Pod pod, String... command) throws IOException {
        try (RespConnection connection = RespConnection.open(pod.getStatus().getPodIP(), ANSWER)) {
            assertThat(connection.call(command).text())
                    .as(String.join(" ", command))
                    .isEqualTo("OK");
        }
    }
}
