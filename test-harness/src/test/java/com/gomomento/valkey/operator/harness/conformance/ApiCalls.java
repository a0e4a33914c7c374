package com.gomomento.valkey.operator.harness.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls to the API server in {@code KUBECONFIG}, in a namespace and with a node that are gone when this is closed. */
final class ApiCalls implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final KubernetesClient client;
    private final HttpClient http;
    private final String namespace;

    record Answer(int code, JsonNode body) {

        String reason() {
            return body.path("reason").asText();
        }

        boolean done() {
            return code < 300;
        }
    }

    ApiCalls() {
        if (System.getenv("KUBECONFIG") == null) {
            throw new AssertionError(
                    "KUBECONFIG is not set; run through ./dev test it, or name an API server to test on");
        }
        byte[] bytes = new byte[4];
        ThreadLocalRandom.current().nextBytes(bytes);
        this.client = new KubernetesClientBuilder().build();
        this.http = client.getHttpClient();
        this.namespace = "conformance-" + HexFormat.of().formatHex(bytes);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("default")
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .serverSideApply();
        // Without it, pods that are bound would be cleared away as orphans, and with a kubelet they would run.
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withUnschedulable(true)
                        .endSpec()
                        .build())
                .create();
    }

    KubernetesClient client() {
        return client;
    }

    /** Name of the namespace and of the node. */
    String namespace() {
        return namespace;
    }

    void limitPods(int most) {
        client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("pods")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("pods", new Quantity(Integer.toString(most)))
                        .endSpec()
                        .build())
                .create();
    }

    /** Waits until the quota's controller has come to this number. */
    void awaitPodsCounted(int pods) {
        Quantity expected = new Quantity(Integer.toString(pods));
        client.resourceQuotas()
                .inNamespace(namespace)
                .withName("pods")
                .waitUntilCondition(
                        quota -> quota != null
                                && quota.getStatus() != null
                                && quota.getStatus().getUsed() != null
                                && expected.equals(quota.getStatus().getUsed().get("pods")),
                        60,
                        TimeUnit.SECONDS);
    }

    Answer call(String method, String path, String contentType, Map<String, ?> body) {
        HttpRequest.Builder request = http.newHttpRequestBuilder()
                .uri(URI.create(client.getConfiguration().getMasterUrl()).resolve(path));
        try {
            HttpRequest built = method.equals("GET")
                    ? request.build()
                    : request.method(method, contentType, MAPPER.writeValueAsString(body))
                            .build();
            HttpResponse<String> response = http.sendAsync(built, String.class).get(30, TimeUnit.SECONDS);
            return new Answer(response.code(), MAPPER.readTree(response.body()));
        } catch (JsonProcessingException | ExecutionException | TimeoutException e) {
            throw new AssertionError(method + " " + path + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    String path(Kind kind) {
        String version = apiVersion(kind);
        return (version.contains("/") ? "/apis/" : "/api/") + version + "/namespaces/" + namespace + "/" + plural(kind);
    }

    static String apiVersion(Kind kind) {
        return switch (kind) {
            case CLUSTER, NODE, CONFIG, IMAGE -> ValkeyKind.API_VERSION;
            case POD, SERVICE, CONFIG_MAP, SECRET -> "v1";
            case DISRUPTION_BUDGET -> "policy/v1";
        };
    }

    static String word(Kind kind) {
        return switch (kind) {
            case CLUSTER -> ValkeyKind.CLUSTER.kind();
            case NODE -> ValkeyKind.NODE.kind();
            case CONFIG -> ValkeyKind.CONFIG.kind();
            case IMAGE -> ValkeyKind.IMAGE.kind();
            case POD -> "Pod";
            case SERVICE -> "Service";
            case CONFIG_MAP -> "ConfigMap";
            case SECRET -> "Secret";
            case DISRUPTION_BUDGET -> "PodDisruptionBudget";
        };
    }

    static String plural(Kind kind) {
        return word(kind).toLowerCase(Locale.ROOT) + "s";
    }

    @Override
    public void close() {
        client.namespaces().withName(namespace).delete();
        client.nodes().withName(namespace).delete();
        client.close();
    }
}
