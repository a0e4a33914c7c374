package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More dies at once than the engine can mend by itself. */
@ScenarioTest
@LeavesOperatorAlone
class FailureIT {

    private static final Duration HEALING = Duration.ofSeconds(90);

    @Test
    void mostPrimariesAtOnce(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);
        Canaries canaries = cluster.writeCanaries();

        List<Pod> primaries = List.of(cluster.member(0, true), cluster.member(1, true));
        primaries.forEach(scenario.faults()::kill);
        for (Pod primary : primaries) {
            checks.replaced(primary, HEALING);
        }
        canaries.assertAll();
        assertThat(scenario.operatorLines()).anyMatch(line -> line.says("no quorum — issued TAKEOVER on replica"));
        checks.calm(Duration.ofSeconds(10));
    }

    @Test
    void theOnlyPrimary(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 1, 1);
        CommonChecks checks = scenario.check(cluster);
        Canaries canaries = cluster.writeCanaries();

        Pod primary = cluster.member(0, true);
        scenario.faults().kill(primary);
        checks.replaced(primary, HEALING);
        canaries.assertAll();
    }

    /** Active again while it still hangs, and so it stays when it comes back. */
    @Test
    void aPrimaryThatHangsForGood(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);
        Canaries canaries = cluster.writeCanaries();

        Pod hanging = cluster.member(1, true);
        scenario.faults().freeze(hanging);
        checks.replaced(hanging, HEALING);
        canaries.assertAll();
        checks.calm(Duration.ofSeconds(10));
    }

    @Test
    void everyCopyOfAShard(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);

        List<Pod> members = List.of(cluster.member(1, true), cluster.member(1, false));
        members.forEach(scenario.faults()::kill);
        for (Pod member : members) {
            checks.replaced(member, HEALING);
        }
        assertThat(cluster.view().conditions()).contains("DataLost=True");
        assertThat(scenario.operatorLines())
                .anyMatch(line -> line.says("every copy of a shard was lost, its slots come back empty"));
    }

    @Test
    void everyMember(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);

        List<Pod> all = cluster.livePods();
        all.forEach(scenario.faults()::kill);
        for (Pod member : all) {
            checks.replaced(member, HEALING);
        }
        assertThat(cluster.view().conditions()).contains("DataLost=True");
    }
}
