package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Shards are what the subresource {@code scale} counts, for people and for Kubernetes' own controllers. */
@ScenarioTest
@LeavesOperatorAlone
class ScaleSubresourceIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void kubectlScale(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 1, 0);
        scenario.bench()
                .kubectl()
                .run("-n", scenario.namespace(), "scale", "valkeycluster/shop", "--current-replicas=1", "--replicas=2");
        scenario.check(cluster).settled(LIMIT);
        assertThat(cluster.view().servingShards()).isEqualTo(2);
        assertThat(cluster.pods()).hasSize(2);
    }

    /** Below {@code minReplicas} it needs no metric, so that it shows that it can both read and write the scale. */
    @Test
    void aHorizontalPodAutoscalerTakesItAsItsTarget(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 1, 0);
        scenario.bench()
                .client()
                .resource(new HorizontalPodAutoscalerBuilder()
                        .withNewMetadata()
                        .withName("shop")
                        .withNamespace(scenario.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withNewScaleTargetRef(ValkeyKind.API_VERSION, ValkeyKind.CLUSTER.kind(), "shop")
                        .withMinReplicas(3)
                        .withMaxReplicas(5)
                        .endSpec()
                        .build())
                .create();
        Patience.until(
                LIMIT,
                "the autoscaler to ask for three shards",
                () -> cluster.view().servingShards() == 3);
        scenario.check(cluster).settled(LIMIT);
        assertThat(autoscaler(scenario, "{.status.conditions[?(@.type==\"AbleToScale\")].status}"))
                .isEqualTo("True");
        assertThat(autoscaler(scenario, "{.status.desiredReplicas}")).isEqualTo("3");
    }

    private static String autoscaler(Scenario scenario, String path) {
        return scenario.bench()
                .kubectl()
                .run("-n", scenario.namespace(), "get", "horizontalpodautoscaler", "shop", "-o", "jsonpath=" + path);
    }
}
