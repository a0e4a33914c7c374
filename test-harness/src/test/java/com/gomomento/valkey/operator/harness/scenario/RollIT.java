package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A change of configuration or image replaces every member, one at a time, and no acknowledged write is lost. */
@ScenarioTest
@LeavesOperatorAlone
class RollIT {

    private static final Duration FORMING = Duration.ofMinutes(2);
    private static final Duration ROLLING = Duration.ofMinutes(3);

    @Test
    void aDirectiveOfTheConfigurationThatTwoClustersUse(Scenario scenario) throws IOException {
        ValkeyClusterHandle shop = scenario.cluster("shop", 3, 1);
        ValkeyClusterHandle bare = scenario.cluster("bare", 2, 0);
        scenario.check(shop).settled(FORMING);
        scenario.check(bare).settled(FORMING);
        Set<String> before = scenario.history().podNames();
        Canaries canaries = bare.writeCanaries();
        try (Writer writer = shop.startWriter();
                Writer other = bare.startWriter()) {
            scenario.change(ValkeyKind.CONFIG, scenario.plainConfig(), Map.of("valkey", Map.of("databases", "3")));
            shop.awaitState("Updating", FORMING);
            bare.awaitState("Updating", FORMING);
            scenario.check(shop).settled(ROLLING);
            scenario.check(bare).settled(ROLLING);
            writer.stop();
            other.stop();
            writer.assertNothingLost();
            other.assertNothingLost();
        }
        canaries.assertAll();
        assertThat(shop.livePods())
                .noneMatch(pod -> before.contains(pod.getMetadata().getName()));
        assertThat(scenario.history().podNames())
                .as("each pod was replaced once")
                .hasSize(2 * before.size());
        assertThat(scenario.operatorLines())
                .anyMatch(line -> line.says("failover to up-to-date replica for rolling upgrade"));
    }

    @Test
    void fromServer81To91(Scenario scenario) throws IOException {
        String config = scenario.config("old", scenario.image("8.1.1"), Map.of());
        ValkeyClusterHandle cluster = scenario.handle("shop").create(Manifests.cluster(config, 2, 1));
        CommonChecks checks = scenario.check(cluster);
        checks.settled(FORMING);
        Canaries canaries = cluster.writeCanaries();
        try (Writer writer = cluster.startWriter()) {
            scenario.change(ValkeyKind.CONFIG, config, Map.of("imageRef", scenario.image("9.1.2")));
            cluster.awaitState("Updating", FORMING);
            checks.settled(ROLLING);
            writer.stop();
            writer.assertNothingLost();
        }
        canaries.assertAll();
        assertThat(cluster.view().version()).isEqualTo("9.1.2");
    }

    /**
     * The first successor shows what is wrong; whatever serves is left alone, what is lost meanwhile is made from what the
     * others run with, and the old value heals at once.
     */
    @Test
    void aDirectiveThatNoServerAccepts(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 2, 1);
        CommonChecks checks = scenario.check(cluster);
        Set<String> before = new HashSet<>(scenario.history().podNames());

        scenario.change(ValkeyKind.CONFIG, scenario.plainConfig(), Map.of("valkey", Map.of("databases", "many")));
        String told = cluster.awaitMessage("times in a row", ROLLING).message();
        assertThat(cluster.livePods())
                .extracting(pod -> pod.getMetadata().getName())
                .containsAll(before);

        Pod lost = cluster.member(told.contains("shard 0") ? 1 : 0, false);
        scenario.faults().kill(lost);
        Pod made = Patience.untilFound(
                ROLLING,
                "another pod in place of " + lost.getMetadata().getName() + " to be ready",
                () -> cluster.livePods().stream()
                        .filter(pod -> ValkeyClusterHandle.shardOf(pod) == ValkeyClusterHandle.shardOf(lost))
                        .filter(pod -> !before.contains(pod.getMetadata().getName()))
                        .filter(Readiness::isPodReady)
                        .findFirst());
        before.remove(lost.getMetadata().getName());
        before.add(made.getMetadata().getName());

        scenario.change(
                ValkeyKind.CONFIG,
                scenario.plainConfig(),
                Map.of("valkey", Collections.singletonMap("databases", null)));
        checks.settled(FORMING);
        assertThat(cluster.livePods())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactlyInAnyOrderElementsOf(before);
    }
}
