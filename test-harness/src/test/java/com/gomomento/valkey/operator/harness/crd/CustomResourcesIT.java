package com.gomomento.valkey.operator.harness.crd;

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
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceDecoder;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceEncoder;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real API server keeps of the operator's writes, and what it shows to users. */
class CustomResourcesIT {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private static final ClusterStatus STATUS = new ClusterStatus(
            ClusterState.UPDATING,
            "shard 1 waits for its replica",
            4,
            List.of(new ClusterStatus.Condition("Ready", false, "ReplicaMissing", "shard 1 waits for its replica")),
            2,
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

    private static CustomResourceApi api;

    @BeforeAll
    static void connect() {
        api = CustomResourceApi.connect();
    }

    @AfterAll
    static void disconnect() {
        api.close();
    }

    @Test
    void keepsEveryFieldOfAClustersStatus() {
        withObject(ValkeyKind.CLUSTER, Map.of("configRef", "none"), cluster -> {
            Map<String, Object> status =
                    ResourceEncoder.clusterStatus(STATUS, CustomResourceApi.customObject(cluster), NOW);

            GenericKubernetesResource stored = api.mergeStatus(cluster, ValkeyKind.CLUSTER, status);

            assertThat(ResourceDecoder.clusterStatus(CustomResourceApi.customObject(stored)))
                    .contains(STATUS);
            assertThat(json(stored).path("status"))
                    .isEqualTo(Serialization.unmarshal(Serialization.asJson(status), JsonNode.class));
        });
    }

    @Test
    void leavesTheFormationTimeAloneWhenAStatusIsWritten() {
        withObject(ValkeyKind.CLUSTER, Map.of("configRef", "none"), cluster -> {
            api.mergeStatus(cluster, ValkeyKind.CLUSTER, ResourceEncoder.formed(NOW));
            GenericKubernetesResource stored = api.mergeStatus(
                    cluster,
                    ValkeyKind.CLUSTER,
                    ResourceEncoder.clusterStatus(STATUS, CustomResourceApi.customObject(cluster), NOW));

            assertThat(stored.<String>get("status", "formedAt")).isEqualTo("2026-11-30T12:00:00Z");
        });
    }

    @Test
    void keepsEveryFieldOfANode() {
        NodeRecord.Status status = new NodeRecord.Status(
                Lifecycle.ACTIVE,
                Optional.of(Role.REPLICA),
                Optional.of("99bb"),
                Optional.of("10.244.0.9"),
                Optional.of(new NodeId("a".repeat(40))));
        Map<String, Object> spec =
                ResourceEncoder.nodeSpec("orders", new ShardId(2), 1, Optional.of(new NodeName("orders-ffff0")));
        withObject(ValkeyKind.NODE, spec, node -> {
            api.mergeStatus(node, ValkeyKind.NODE, Map.of("utilization", Map.of("cpuPercent", 12)));
            GenericKubernetesResource stored =
                    api.mergeStatus(node, ValkeyKind.NODE, ResourceEncoder.nodeStatus(status));

            assertThat(ResourceDecoder.node(CustomResourceApi.customObject(stored)))
                    .isEqualTo(new Decoded.Usable<>(new NodeRecord(
                            new NodeName(node.getMetadata().getName()),
                            node.getMetadata().getUid(),
                            false,
                            new ShardId(2),
                            1,
                            Optional.of(new NodeName("orders-ffff0")),
                            status)));
            assertThat(stored.<Integer>get("status", "utilization", "cpuPercent"))
                    .isEqualTo(12);

            GenericKubernetesResource reset =
                    api.mergeStatus(node, ValkeyKind.NODE, ResourceEncoder.nodeStatus(NodeRecord.Status.NEW));
            assertThat(json(reset).path("status").toString())
                    .isEqualTo("{\"lifecycle\":\"Joining\",\"utilization\":{\"cpuPercent\":12}}");
        });
    }

    @Test
    void scalesShardsThroughTheSubresource() {
        withObject(ValkeyKind.CLUSTER, Map.of("configRef", "none", "shards", 2), cluster -> {
            api.mergeStatus(
                    cluster,
                    ValkeyKind.CLUSTER,
                    ResourceEncoder.clusterStatus(STATUS, CustomResourceApi.customObject(cluster), NOW));

            JsonNode scale = get(cluster, "/scale", "application/json");
            assertThat(scale.at("/spec/replicas").asInt()).isEqualTo(2);
            assertThat(scale.at("/status/replicas").asInt()).isEqualTo(STATUS.shards());
            assertThat(scale.at("/status/selector").asText())
                    .isEqualTo("app.kubernetes.io/name=valkey,app.kubernetes.io/instance="
                            + cluster.getMetadata().getName());

            api.at(ValkeyKind.CLUSTER, cluster).scale(5);
            assertThat(get(cluster, "", "application/json").at("/spec/shards").asInt())
                    .isEqualTo(5);
        });
    }

    @Test
    void printsHowAClusterIs() {
        withObject(
                ValkeyKind.CLUSTER, Map.of("configRef", "production", "shards", 2, "replicasPerShard", 1), cluster -> {
                    api.mergeStatus(
                            cluster,
                            ValkeyKind.CLUSTER,
                            ResourceEncoder.clusterStatus(STATUS, CustomResourceApi.customObject(cluster), NOW));

                    Map<String, String> row = row(cluster);
                    row.remove("Age");
                    row.remove("Name");

                    assertThat(row)
                            .isEqualTo(Map.of(
                                    "State", "Updating",
                                    "Shards", "2",
                                    "Replicas", "1",
                                    "Ready", "1/2",
                                    "Version", "9.1.2",
                                    "Config", "production",
                                    "Message", "shard 1 waits for its replica"));
                });
    }

    /** Runs {@code test} on an object that exists, and removes it. */
    private static void withObject(
            ValkeyKind kind, Map<String, Object> spec, Consumer<GenericKubernetesResource> test) {
        GenericKubernetesResource object = api.create(api.object(kind, api.freshName(), spec), kind);
        try {
            test.accept(object);
        } finally {
            api.delete(object, kind);
        }
    }

    /** The object as a line of {@code kubectl get -o wide}, by column. */
    private static Map<String, String> row(GenericKubernetesResource cluster) {
        JsonNode table = get(cluster, "", "application/json;as=Table;v=v1;g=meta.k8s.io");
        List<String> names = new ArrayList<>();
        table.path("columnDefinitions")
                .forEach(column -> names.add(column.path("name").asText()));
        Map<String, String> row = new TreeMap<>();
        for (int index = 0; index < names.size(); index++) {
            row.put(names.get(index), table.at("/rows/0/cells").path(index).asText());
        }
        return row;
    }

    private static JsonNode get(GenericKubernetesResource cluster, String subresource, String accept) {
        URI uri = URI.create(api.client().getMasterUrl()
                + "apis/" + ValkeyKind.API_VERSION + "/namespaces/"
                + cluster.getMetadata().getNamespace()
                + "/" + ValkeyKind.CLUSTER.plural() + "/"
                + cluster.getMetadata().getName() + subresource);
        var http = api.client().getHttpClient();
        HttpResponse<String> response = http.sendAsync(
                        http.newHttpRequestBuilder()
                                .uri(uri)
                                .header("Accept", accept)
                                .build(),
                        String.class)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        assertThat(response.code()).as(response.body()).isEqualTo(200);
        return Serialization.unmarshal(response.body(), JsonNode.class);
    }

    private static JsonNode json(GenericKubernetesResource resource) {
        return Serialization.unmarshal(Serialization.asJson(resource), JsonNode.class);
    }
}
