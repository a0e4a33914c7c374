package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/** What several scenarios expect in the same words. */
final class Expectations {

    private Expectations() {}

    /**
     * Each cluster settles, none was ever called Failed, no pod was made beyond those that were needed, and no server was
     * forgotten.
     *
     * @param clusters all of the scenario
     */
    static void formedOnce(Scenario scenario, List<ValkeyClusterHandle> clusters, Duration limit) {
        int members = 0;
        for (ValkeyClusterHandle cluster : clusters) {
            scenario.check(cluster).settled(limit);
            members += cluster.view().members();
            assertThat(scenario.history().statuses(cluster.name()))
                    .as("states of " + cluster.name())
                    .noneMatch(view ->
                            view.state().equals("Failed") || view.state().equals("Invalid"));
        }
        assertThat(scenario.history().podNames()).as("all pods that ever were").hasSize(members);
        assertThat(scenario.operatorLines())
                .anyMatch(line -> line.says("cluster formed, transitioning to Active"))
                .noneMatch(line -> line.says("cluster forget issued"));
    }
}
