package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The scheduler puts members where the wish says, and a wish that it can't follow is told and harms nothing. */
@ScenarioTest
@LeavesOperatorAlone
class PlacementIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration ROLLING = Duration.ofMinutes(3);
    private static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");

    @Test
    void aRollKeepsEachShardInAllZones(Scenario scenario) {
        ValkeyClusterHandle cluster = placed(scenario, 2, 2, Map.of("zones", ZONES, "zoneSpread", "required"));
        CommonChecks checks = scenario.check(cluster);
        checks.settled(LIMIT);
        Set<String> before = cluster.podNames();
        assertThat(zones(scenario, cluster))
                .allSatisfy((shard, zones) -> assertThat(zones).containsExactlyElementsOf(ZONES));

        scenario.change(ValkeyKind.CONFIG, scenario.plainConfig(), Map.of("valkey", Map.of("databases", "3")));
        cluster.awaitState("Updating", LIMIT);
        checks.settled(ROLLING);
        assertThat(cluster.podNames()).doesNotContainAnyElementsOf(before);
        assertThat(zones(scenario, cluster))
                .allSatisfy((shard, zones) -> assertThat(zones).containsExactlyElementsOf(ZONES));
    }

    /** {@code zoneSpread} holds for later pods; {@code zones} moves those that run. */
    @Test
    void zonesRollAndZoneSpreadDoesNot(Scenario scenario) {
        ValkeyClusterHandle cluster = placed(scenario, 1, 2, Map.of("zones", List.of("zone-a")));
        CommonChecks checks = scenario.check(cluster);
        checks.settled(LIMIT);
        assertThat(zones(scenario, cluster).get(0)).containsOnly("zone-a");
        Set<String> before = cluster.podNames();

        cluster.patch(Map.of("placement", Map.of("zoneSpread", "required")));
        checks.settled(LIMIT);
        assertThat(cluster.podNames()).isEqualTo(before);

        cluster.patch(Map.of("placement", Map.of("zones", List.of("zone-b", "zone-c"))));
        checks.settled(ROLLING);
        assertThat(zones(scenario, cluster).get(0))
                .hasSize(3)
                .contains("zone-b", "zone-c")
                .doesNotContain("zone-a");
        assertThat(cluster.podNames()).doesNotContainAnyElementsOf(before);
    }

    @Test
    void aPlacementThatNoNodeHasIsToldAndTouchesNothing(Scenario scenario) {
        ValkeyClusterHandle cluster = placed(scenario, 2, 1, Map.of());
        CommonChecks checks = scenario.check(cluster);
        checks.settled(LIMIT);
        Set<String> before = cluster.podNames();
        Canaries canaries = cluster.writeCanaries();

        cluster.patch(Map.of("placement", Map.of("zones", List.of("zone-z"))));
        ClusterView told = cluster.awaitMessage("cannot be scheduled", LIMIT);
        assertThat(told.state()).isEqualTo("Updating");
        assertThat(told.message()).containsOnlyOnce("didn't match Pod's node affinity/selector");
        assertThat(cluster.podNames())
                .as("one successor waits")
                .containsAll(before)
                .hasSize(5);

        cluster.patch(Map.of("podAnnotations", Map.of("example.com/team", "orders")));
        Patience.until(
                LIMIT,
                "all pods to have the annotation meanwhile",
                () -> cluster.pods().stream()
                        .allMatch(pod -> "orders"
                                .equals(pod.getMetadata().getAnnotations().get("example.com/team"))));
        canaries.assertAll();

        Map<String, Object> back = new HashMap<>();
        back.put("placement", null);
        cluster.patch(back);
        checks.settled(LIMIT);
        assertThat(cluster.podNames()).isEqualTo(before);
        canaries.assertAll();
    }

    @Test
    void aTaintedNodeTakesWhoeverToleratesIt(Scenario scenario) {
        String key = "example.com/" + scenario.namespace();
        String node = nodeIn(scenario, "zone-c");
        Kubectl kubectl = scenario.bench().kubectl();
        kubectl.run("taint", "node", node, key + "=cache:NoSchedule");
        try {
            ValkeyClusterHandle cluster =
                    placed(scenario, 1, 1, Map.of("nodeSelector", Map.of("kubernetes.io/hostname", node)));
            assertThat(cluster.awaitMessage("cannot be scheduled", LIMIT).message())
                    .contains("untolerated taint");
            cluster.patch(Map.of(
                    "placement",
                    Map.of(
                            "tolerations",
                            List.of(Map.of(
                                    "key", key, "operator", "Equal", "value", "cache", "effect", "NoSchedule")))));
            scenario.check(cluster).settled(LIMIT);
            assertThat(cluster.pods())
                    .extracting(pod -> pod.getSpec().getNodeName())
                    .containsOnly(node);
        } finally {
            kubectl.run("taint", "node", node, key + "-");
        }
    }

    private static ValkeyClusterHandle placed(
            Scenario scenario, int shards, int replicas, Map<String, Object> placement) {
        Map<String, Object> spec = new HashMap<>(Manifests.cluster(scenario.plainConfig(), shards, replicas));
        spec.put("placement", placement);
        return scenario.handle("shop").create(spec);
    }

    /** The zones of each shard's members, by the nodes on which they run. */
    private static SortedMap<Integer, List<String>> zones(Scenario scenario, ValkeyClusterHandle cluster) {
        SortedMap<Integer, List<String>> zones = new TreeMap<>();
        cluster.livePods().stream()
                .collect(Collectors.groupingBy(ValkeyClusterHandle::shardOf))
                .forEach((shard, pods) -> zones.put(
                        shard,
                        pods.stream().map(pod -> zone(scenario, pod)).sorted().toList()));
        return zones;
    }

    private static String zone(Scenario scenario, Pod pod) {
        return scenario.bench()
                .client()
                .nodes()
                .withName(pod.getSpec().getNodeName())
                .require()
                .getMetadata()
                .getLabels()
                .getOrDefault("topology.kubernetes.io/zone", "none");
    }

    private static String nodeIn(Scenario scenario, String zone) {
        SortedSet<String> nodes = new TreeSet<>();
        scenario.bench()
                .client()
                .nodes()
                .withLabel("topology.kubernetes.io/zone", zone)
                .list()
                .getItems()
                .forEach(node -> nodes.add(node.getMetadata().getName()));
        return nodes.getFirst();
    }
}
