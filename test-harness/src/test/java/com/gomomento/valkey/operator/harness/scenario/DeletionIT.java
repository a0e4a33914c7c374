package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** B42: clusters and namespaces go when they are told to, whatever state they are in, and disturb no others. */
@ScenarioTest
@LeavesOperatorAlone
class DeletionIT {

    private static final Duration FORMING = Duration.ofSeconds(90);
    /** A frozen server's pod gets its whole grace of 30 s. */
    private static final Duration GOING = Duration.ofSeconds(90);

    @Test
    void clusterOfFrozenServers(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
        scenario.check(cluster).settled(FORMING);
        cluster.livePods().forEach(scenario.faults()::freeze);
        cluster.delete();
        Patience.untilNone(GOING, "all of the cluster to be gone", () -> left(scenario));
    }

    @Test
    void namespaceOfClustersInEveryState(Scenario scenario) {
        ValkeyClusterHandle active = scenario.cluster("active", 3, 1);
        ValkeyClusterHandle creating = scenario.handle("creating").create(stalled(scenario));
        scenario.check(active).settled(FORMING);
        creating.awaitMessage("cannot be scheduled", FORMING);
        // One server is lost and about to be replaced, all others are frozen.
        Pod lost = active.member(1, false);
        String lostName = lost.getMetadata().getName();
        active.livePods().stream()
                .filter(pod -> !pod.getMetadata().getName().equals(lostName))
                .forEach(scenario.faults()::freeze);
        scenario.faults().kill(lost);
        try (Scenario elsewhere = scenario.bench().begin("elsewhere")) {
            scenario.history().note("begin to delete the namespace");
            scenario.bench()
                    .client()
                    .namespaces()
                    .withName(scenario.namespace())
                    .delete();
            ValkeyClusterHandle other = elsewhere.cluster("other", 1, 1);
            elsewhere.check(other).settled(FORMING);
            assertThat(elsewhere.unexpected()).isEmpty();
        }
        scenario.deleteNamespace(GOING);
        assertThat(scenario.requests().stream()
                        .filter(request -> request.isWrite() && request.code() == 403)
                        .collect(Collectors.groupingBy(AuditLog.Request::name, Collectors.counting())))
                .as("tries to make an object in a namespace that goes, about one in 10 s")
                .allSatisfy((name, tries) -> assertThat(tries).isLessThan(10));

        scenario.makeNamespace();
        ValkeyClusterHandle again = scenario.cluster("active", 3, 1);
        scenario.check(again).settled(FORMING);
    }

    @Test
    void deletedAndMadeAgainAtOnce(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
        scenario.check(cluster).settled(FORMING);
        Set<String> before = scenario.history().podNames();
        cluster.delete();
        Patience.until(GOING, "the cluster to be gone", () -> cluster.find().isEmpty());
        cluster.create(Manifests.cluster(scenario.plainConfig(), 3, 1));
        Patience.until(
                GOING,
                "the old pods to be gone",
                () -> cluster.pods().stream()
                        .noneMatch(pod -> before.contains(pod.getMetadata().getName())));
        scenario.check(cluster).settled(FORMING);
        assertThat(scenario.history().podNames()).hasSize(12);
    }

    private static Map<String, Object> stalled(Scenario scenario) {
        return Map.of(
                "configRef",
                scenario.plainConfig(),
                "placement",
                Map.of("nodeSelector", Map.of("example.com/nowhere", "nothing")));
    }

    /** Everything in the namespace but what Kubernetes itself puts into each. */
    static List<String> left(Scenario scenario) {
        return scenario.bench()
                .kubectl()
                .run(
                        "-n",
                        scenario.namespace(),
                        "get",
                        "valkeyclusters,valkeynodes,pods,services,configmaps,secrets,poddisruptionbudgets",
                        "-o",
                        "name")
                .lines()
                .filter(name -> !name.isBlank() && !name.equals("configmap/kube-root-ca.crt"))
                .toList();
    }
}
