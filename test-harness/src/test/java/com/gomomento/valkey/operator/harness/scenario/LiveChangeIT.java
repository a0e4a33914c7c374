package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What servers take at run time is set on all of them, and no pod is replaced for it. */
@ScenarioTest
@LeavesOperatorAlone
class LiveChangeIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static Set<String> names(ValkeyClusterHandle cluster) {
        Set<String> names = new TreeSet<>();
        cluster.livePods().forEach(pod -> names.add(pod.getMetadata().getName()));
        return names;
    }

    private static String ask(Pod pod, String directive) {
        try (RespConnection connection = RespConnection.open(pod.getStatus().getPodIP(), Duration.ofSeconds(2))) {
            return connection.call("CONFIG", "GET", directive).items().getLast().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertEverywhere(ValkeyClusterHandle cluster, String directive, String value) {
        for (Pod pod : cluster.livePods()) {
            assertThat(ask(pod, directive))
                    .as(directive + " of " + pod.getMetadata().getName())
                    .isEqualTo(value);
        }
    }

    private static void wish(Scenario scenario, Map<String, String> directives) {
        scenario.change(ValkeyKind.CONFIG, scenario.plainConfig(), Map.of("valkey", directives));
    }

    @Test
    void aChangeReachesEveryNodeAndIsKeptByAReplacement(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);
        Set<String> before = names(cluster);
        try (Writer writer = cluster.startWriter()) {
            wish(scenario, Map.of("maxmemory-policy", "allkeys-lfu", "maxmemory", "48mb"));
            cluster.awaitState("Updating", LIMIT);
            checks.settled(LIMIT);
            writer.stop();
            writer.assertNothingLost();
        }
        assertThat(names(cluster)).isEqualTo(before);
        assertEverywhere(cluster, "maxmemory-policy", "allkeys-lfu");
        assertEverywhere(cluster, "maxmemory", Integer.toString(48 << 20));

        scenario.faults().kill(cluster.member(0, false));
        cluster.awaitState("Updating", LIMIT);
        checks.settled(LIMIT);
        assertThat(names(cluster)).isNotEqualTo(before);
        assertEverywhere(cluster, "maxmemory-policy", "allkeys-lfu");
    }

    @Test
    void aValueThatServersRefuseTouchesNothingAndTheOldOneHealsAtOnce(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 2, 1);
        CommonChecks checks = scenario.check(cluster);
        wish(scenario, Map.of("hz", "20"));
        cluster.awaitState("Updating", LIMIT);
        checks.settled(LIMIT);
        Set<String> before = names(cluster);

        wish(scenario, Map.of("hz", "many"));
        cluster.awaitState("Invalid", LIMIT);
        assertThat(cluster.awaitMessage("argument 'hz'", LIMIT).message()).contains("the servers refuse");
        // Repair goes on, from the file that worked.
        Pod lost = cluster.member(1, false);
        scenario.faults().kill(lost);
        checks.replacedThough(lost, "Invalid", LIMIT);
        assertEverywhere(cluster, "hz", "20");

        wish(scenario, Map.of("hz", "20"));
        checks.settled(LIMIT);
        assertEverywhere(cluster, "hz", "20");
        Set<String> after = names(cluster);
        after.retainAll(before);
        assertThat(after).as("only the killed one was replaced").hasSize(3);
    }

    @Test
    void whatSomebodySetsByHandIsSetBack(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 1, 1);
        wish(scenario, Map.of("maxmemory-policy", "allkeys-lru"));
        cluster.awaitState("Updating", LIMIT);
        scenario.check(cluster).settled(LIMIT);
        Pod pod = cluster.member(0, false);
        try (RespConnection connection = RespConnection.open(pod.getStatus().getPodIP(), Duration.ofSeconds(2))) {
            connection.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
        Patience.until(
                LIMIT, "it is set back", () -> ask(pod, "maxmemory-policy").equals("allkeys-lru"));
        scenario.check(cluster).settled(LIMIT);
    }

    @Test
    void anOlderReleaseIsRefusedAndNothingIsTouched(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 2, 1);
        Set<String> before = names(cluster);
        String image = scenario.image(Scenario.SERVER_VERSION);
        scenario.change(ValkeyKind.CONFIG, scenario.plainConfig(), Map.of("imageRef", scenario.image("8.1.1")));
        cluster.awaitState("Invalid", LIMIT);
        assertThat(cluster.view().message())
                .contains("version of the ValkeyImage is 8.1.1")
                .contains("allowed is 9.1.0 or newer");
        assertThat(names(cluster)).isEqualTo(before);

        scenario.change(ValkeyKind.CONFIG, scenario.plainConfig(), Map.of("imageRef", image));
        scenario.check(cluster).settled(LIMIT);
        assertThat(names(cluster)).isEqualTo(before);
        assertThat(List.copyOf(scenario.history().podNames())).hasSize(before.size());
    }
}
