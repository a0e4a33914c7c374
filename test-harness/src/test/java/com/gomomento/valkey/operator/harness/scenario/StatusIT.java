package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The status speaks of the generation that it names, and kubectl shows it. */
@ScenarioTest
@LeavesOperatorAlone
class StatusIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void activeOnlyForWhatWasSeen(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 0);
        CommonChecks checks = scenario.check(cluster);
        checks.settled(LIMIT);

        cluster.patch(Map.of("podAnnotations", Map.of("example.com/team", "orders")));
        checks.settled(LIMIT);
        assertThat(cluster.pods())
                .allMatch(pod ->
                        "orders".equals(pod.getMetadata().getAnnotations().get("example.com/team")));

        long grown = cluster.patch(Map.of("replicasPerShard", 2));
        checks.settled(LIMIT);
        assertThat(scenario.history().statuses("shop"))
                .filteredOn(view ->
                        view.observedGeneration() == grown && view.state().equals("Active"))
                .isNotEmpty()
                .allMatch(view -> view.ready().equals("3/3"));

        long shrunk = cluster.patch(Map.of("replicasPerShard", 1));
        checks.settled(LIMIT);
        assertThat(scenario.history().statuses("shop"))
                .filteredOn(view ->
                        view.observedGeneration() == shrunk && view.state().equals("Active"))
                .isNotEmpty()
                .allMatch(view -> view.ready().equals("2/2") && view.nodes().size() == 2);
        assertThat(scenario.history().podNames()).as("no pod was replaced").hasSize(3);
    }

    @Test
    void columns(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 1);
        scenario.check(cluster).settled(LIMIT);
        List<String> shown = get(scenario, "valkeyclusters");
        assertThat(shown.getFirst()).matches("NAME +STATE +SHARDS +REPLICAS +READY +VERSION +AGE *");
        assertThat(shown.get(1)).matches("shop +Active +1 +1 +2/2 +9\\.1\\.2 +\\w+ *");
        List<String> wide = get(scenario, "vkc", "-o", "wide");
        assertThat(wide.getFirst()).matches("NAME +STATE +SHARDS +REPLICAS +READY +VERSION +AGE +CONFIG +MESSAGE *");
        assertThat(wide.get(1)).contains(scenario.plainConfig());
        List<String> nodes = get(scenario, "valkeynodes");
        assertThat(nodes.getFirst()).matches("NAME +CLUSTER +SHARD +ROLE +LIFECYCLE +IP +AGE *");
        assertThat(nodes.subList(1, nodes.size()))
                .hasSize(2)
                .allMatch(
                        line -> line.matches("shop-[0-9a-f]{5} +shop +0 +(primary|replica) +Active +[0-9.]+ +\\w+ *"));
    }

    private static List<String> get(Scenario scenario, String kind, String... options) {
        String[] arguments = new String[options.length + 4];
        arguments[0] = "-n";
        arguments[1] = scenario.namespace();
        arguments[2] = "get";
        arguments[3] = kind;
        System.arraycopy(options, 0, arguments, 4, options.length);
        return scenario.bench().kubectl().run(arguments).lines().toList();
    }
}
