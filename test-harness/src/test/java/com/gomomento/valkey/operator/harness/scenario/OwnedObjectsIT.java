package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What somebody takes away of a cluster's own objects comes back, and no server is replaced for it. */
@ScenarioTest
@LeavesOperatorAlone
class OwnedObjectsIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void deletedObjectsComeBack(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);
        checks.settled(LIMIT);
        String namespace = scenario.namespace();
        KubernetesClient client = scenario.bench().client();

        client.services().inNamespace(namespace).withName("shop").delete();
        client.configMaps().inNamespace(namespace).withName("shop-config").delete();
        client.secrets().inNamespace(namespace).withName("shop-access").delete();
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .withName("shop")
                .delete();
        Patience.until(
                LIMIT,
                "all four to be there again",
                () -> DeletionIT.left(scenario)
                        .containsAll(List.of(
                                "service/shop",
                                "configmap/shop-config",
                                "secret/shop-access",
                                "poddisruptionbudget.policy/shop")));
        checks.settled(LIMIT);

        String node = cluster.member(1, false).getMetadata().getName();
        client.genericKubernetesResources(Manifests.context(ValkeyKind.NODE))
                .inNamespace(namespace)
                .withName(node)
                .delete();
        Patience.until(
                LIMIT,
                "the ValkeyNode to be there again",
                () -> DeletionIT.left(scenario).contains("valkeynode.valkey.gomomento.com/" + node));
        checks.settled(LIMIT);
        assertThat(scenario.history().podNames()).as("no server was replaced").hasSize(6);
    }

    @Test
    void changedLabelsAndFilesAreSetRight(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 1);
        CommonChecks checks = scenario.check(cluster);
        checks.settled(LIMIT);
        Pod replica = cluster.member(0, false);
        scenario.faults().relabel(replica, "valkey.gomomento.com/role", "primary");
        Patience.until(
                LIMIT,
                "the role to be right again",
                () -> "replica"
                        .equals(cluster.pod(replica.getMetadata().getName())
                                .getMetadata()
                                .getLabels()
                                .get("valkey.gomomento.com/role")));
        scenario.faults().relabel(replica, "app.kubernetes.io/instance", "another");
        Patience.until(
                LIMIT, "the pod to be the cluster's again", () -> cluster.pods().size() == 2);
        checks.settled(LIMIT);
        scenario.bench()
                .client()
                .configMaps()
                .inNamespace(scenario.namespace())
                .withName("shop-config")
                .edit(map -> {
                    map.setData(Map.of("valkey.conf", "appendonly yes\n"));
                    return map;
                });
        Patience.until(
                LIMIT,
                "the configuration to be the operator's again",
                () -> scenario.bench()
                        .kubectl()
                        .run("-n", scenario.namespace(), "get", "configmap", "shop-config", "-o", "yaml")
                        .contains("cluster-enabled yes"));
        checks.settled(LIMIT);
        assertThat(scenario.history().podNames()).as("no server was replaced").hasSize(2);
    }
}
