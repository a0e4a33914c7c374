package com.gomomento.valkey.operator.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.ClusterStatus.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResourceEncoderTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00.123456Z");

    private static final ClusterStatus STATUS = new ClusterStatus(
            ClusterState.UPDATING,
            "shard 1 waits for its replica",
            4,
            List.of(
                    new Condition("Ready", false, "ReplicaMissing", "shard 1 waits for its replica"),
                    new Condition("Progressing", true, "Repairing", "")),
            3,
            List.of(
                    new ClusterStatus.Node(
                            new NodeName("orders-0a1b2"),
                            new ShardId(0),
                            Optional.of(Role.PRIMARY),
                            Lifecycle.ACTIVE,
                            true),
                    new ClusterStatus.Node(
                            new NodeName("orders-1a1b2"), new ShardId(1), Optional.empty(), Lifecycle.JOINING, false)),
            1,
            2,
            16384,
            Optional.of("9.1.2"),
            "orders.shop.svc.cluster.local:6379");

    @Test
    void writesAStatusThatReadsBackAsItWas() {
        CustomObject cluster = cluster(Map.of());

        cluster = with(cluster, "status", ResourceEncoder.clusterStatus(STATUS, cluster, NOW));

        assertThat(ResourceDecoder.clusterStatus(cluster)).contains(STATUS);
    }

    @Test
    void writesWhatOnlyPeopleAndTheScaleSubresourceRead() {
        JsonNode json = json(ResourceEncoder.clusterStatus(STATUS, cluster(Map.of()), NOW));

        assertThat(json.path("ready").textValue()).isEqualTo("1/2");
        assertThat(json.path("selector").textValue())
                .isEqualTo("app.kubernetes.io/name=valkey,app.kubernetes.io/instance=orders");
        assertThat(json.has("formedAt")).isFalse();
    }

    @Test
    void removesAVersionThatIsNoLongerKnown() {
        ClusterStatus unknown = new ClusterStatus(
                ClusterState.INVALID, "no such config", 4, List.of(), 0, List.of(), 0, 0, 0, Optional.empty(), "e:1");

        assertThat(json(ResourceEncoder.clusterStatus(unknown, cluster(Map.of()), NOW))
                        .path("version")
                        .isNull())
                .isTrue();
    }

    @Test
    void keepsTheTransitionTimeOfAConditionThatHoldsAsBefore() {
        CustomObject before = cluster(Map.of(
                "conditions",
                List.of(
                        Map.of("type", "Ready", "status", "False", "lastTransitionTime", "2026-11-30T09:00:00Z"),
                        Map.of(
                                "type",
                                "Progressing",
                                "status",
                                "False",
                                "lastTransitionTime",
                                "2026-11-30T09:00:00Z"))));

        JsonNode json = json(ResourceEncoder.clusterStatus(STATUS, before, NOW));

        assertThat(json.at("/conditions/0/lastTransitionTime").textValue()).isEqualTo("2026-11-30T09:00:00Z");
        assertThat(json.at("/conditions/1/lastTransitionTime").textValue()).isEqualTo("2026-11-30T12:00:00Z");
        assertThat(json.at("/conditions/1/observedGeneration").longValue()).isEqualTo(4);
    }

    @Test
    void overwritesConditionsThatCannotBeRead() {
        CustomObject before = cluster(Map.of("conditions", "none"));

        JsonNode json = json(ResourceEncoder.clusterStatus(STATUS, before, NOW));

        assertThat(json.at("/conditions/0/lastTransitionTime").textValue()).isEqualTo("2026-11-30T12:00:00Z");
    }

    @Test
    void takesAStatusThatHoldsOnlyTheFormationTimeForNone() {
        CustomObject cluster = cluster(Map.of());

        cluster = with(cluster, "status", ResourceEncoder.formed(NOW));

        assertThat(ResourceDecoder.clusterStatus(cluster)).isEmpty();
        assertThat(cluster.content()).isEqualTo(Map.of("status", Map.of("formedAt", "2026-11-30T12:00:00Z")));
    }

    @Test
    void takesAStatusOfUnknownWordsForNone() {
        assertThat(ResourceDecoder.clusterStatus(cluster(Map.of("state", "Sleeping"))))
                .isEmpty();
    }

    @Test
    void writesANodeThatReadsBackAsItWas() {
        NodeRecord.Status status = new NodeRecord.Status(
                Lifecycle.ACTIVE,
                Optional.of(Role.PRIMARY),
                Optional.of("99bb"),
                Optional.of("10.244.0.9"),
                Optional.of(new NodeId("a".repeat(40))));
        NodeRecord node = new NodeRecord(
                new NodeName("orders-0a1b2"),
                "77aa",
                false,
                new ShardId(2),
                1,
                Optional.of(new NodeName("orders-ffff0")),
                status);
        CustomObject resource = Manifests.object("{metadata: {name: orders-0a1b2, uid: 77aa}}");

        resource = with(
                resource, "spec", ResourceEncoder.nodeSpec("orders", node.shard(), node.ordinal(), node.replaces()));
        resource = with(resource, "status", ResourceEncoder.nodeStatus(status));

        assertThat(ResourceDecoder.node(resource)).isEqualTo(new Decoded.Usable<>(node));
        assertThat(ResourceDecoder.clusterNameOfNode(resource)).contains("orders");
    }

    @Test
    void removesWhatIsNoLongerKnownOfANode() {
        JsonNode json = json(ResourceEncoder.nodeStatus(NodeRecord.Status.NEW));

        assertThat(json.toString())
                .isEqualTo("{\"lifecycle\":\"Joining\",\"role\":null,\"podUID\":null,\"podIP\":null,\"nodeId\":null}");
    }

    private static CustomObject cluster(Map<String, Object> status) {
        return Manifests.with(
                Manifests.object("{metadata: {name: orders, namespace: shop, uid: 1f0c}}"), "status", status);
    }

    /** As it comes back from the API server: through JSON, and without what a null removed. */
    private static CustomObject with(CustomObject object, String section, Map<String, Object> written) {
        Map<String, Object> stored = Manifests.map(Serialization.asJson(written));
        stored.values().removeIf(Objects::isNull);
        return Manifests.with(object, section, stored);
    }

    private static JsonNode json(Map<String, Object> written) {
        return Serialization.unmarshal(Serialization.asJson(written), JsonNode.class);
    }
}
