package com.gomomento.valkey.operator.harness.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What objects hold, as the model has it and as JSON: the same value gives the same words on both sides. */
final class ApiContent {

    private static final String MACHINE = "machine";
    static final String IP = "10.244.250.250";
    static final int EXIT_CODE = 137;
    private static final List<ClusterState> STATES =
            List.of(ClusterState.CREATING, ClusterState.ACTIVE, ClusterState.FAILED);
    private static final List<Lifecycle> LIFECYCLES = List.of(Lifecycle.JOINING, Lifecycle.ACTIVE, Lifecycle.LEAVING);
    private static final String CONFIG_KEY = "valkey.conf";
    private static final String SPEC = "spec";
    private static final String STATUS = "status";
    private static final String METADATA = "metadata";

    private ApiContent() {}

    // As the model has it.

    static Content fresh(Kind kind, int value) {
        return switch (kind) {
            case CLUSTER -> new Content.Cluster(wish(value), 1, Optional.empty(), Optional.empty());
            case NODE -> new Content.Node(new ShardId(value), 0, Optional.empty(), NodeRecord.Status.NEW);
            case POD ->
                new Content.Pod(
                        new ShardId(0),
                        Fingerprint.of("template"),
                        "image",
                        "9.1.2",
                        "host",
                        marks(value),
                        marks(value),
                        new Content.PodState(
                                PodView.Phase.PENDING,
                                false,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
            case SERVICE -> new Content.Service();
            case CONFIG_MAP -> new Content.ServerConfig(text(value));
            case SECRET -> new Content.Access(new AclFile(text(value), "replication"));
            case DISRUPTION_BUDGET -> new Content.DisruptionBudget(value);
            case CONFIG, IMAGE -> throw new IllegalArgumentException(kind + " is not compared");
        };
    }

    static Content written(Content before, int value) {
        return switch (before) {
            case Content.Cluster cluster -> cluster.withWish(wish(value));
            case Content.Node node -> new Content.Node(new ShardId(value), 0, Optional.empty(), node.status());
            case Content.Pod pod ->
                new Content.Pod(
                        pod.shard(),
                        pod.template(),
                        pod.image(),
                        pod.version(),
                        pod.hostname(),
                        marks(value),
                        marks(value),
                        pod.state());
            case Content.Service service -> service;
            case Content.ServerConfig _ -> new Content.ServerConfig(text(value));
            case Content.Access _ -> new Content.Access(new AclFile(text(value), "replication"));
            case Content.DisruptionBudget _ -> new Content.DisruptionBudget(value);
            case Content.Credentials _, Content.Config _, Content.Image _ ->
                throw new IllegalArgumentException(before + " is not compared");
        };
    }

    static Content withStatus(Content before, int value) {
        return switch (before) {
            case Content.Cluster cluster ->
                new Content.Cluster(
                        cluster.wish(), cluster.generation(), cluster.formedAt(), Optional.of(status(value)));
            case Content.Node node ->
                new Content.Node(
                        node.shard(),
                        node.ordinal(),
                        node.replaces(),
                        new NodeRecord.Status(
                                LIFECYCLES.get(value),
                                Optional.empty(),
                                Optional.of(text(value)),
                                Optional.empty(),
                                Optional.empty()));
            case Content other -> throw new IllegalArgumentException(other + " has no status of ours");
        };
    }

    static Content bound(Content before) {
        return withState(
                before,
                state -> new Content.PodState(
                        state.phase(),
                        state.ready(),
                        Optional.of(MACHINE),
                        state.ip(),
                        Optional.empty(),
                        state.exit()));
    }

    static Content running(Content before) {
        return withState(
                before,
                state -> new Content.PodState(
                        PodView.Phase.RUNNING,
                        true,
                        state.machine(),
                        Optional.of(IP),
                        Optional.empty(),
                        Optional.empty()));
    }

    static Content failed(Content before) {
        PodView.Exit exit = new PodView.Exit("Error", Optional.of(EXIT_CODE), "");
        return withState(
                before,
                state -> new Content.PodState(
                        PodView.Phase.FAILED, false, state.machine(), state.ip(), Optional.empty(), Optional.of(exit)));
    }

    private static Content withState(Content before, java.util.function.UnaryOperator<Content.PodState> how) {
        Content.Pod pod = (Content.Pod) before;
        return new Content.Pod(
                pod.shard(),
                pod.template(),
                pod.image(),
                pod.version(),
                pod.hostname(),
                pod.labels(),
                pod.annotations(),
                how.apply(pod.state()));
    }

    private static Content.Wish wish(int value) {
        return new Content.Wish("config", 1 + value, 0, new TreeMap<>(), false);
    }

    private static ClusterStatus status(int value) {
        return new ClusterStatus(STATES.get(value), "", 1, List.of(), 0, List.of(), 0, 0, 0, Optional.empty(), "");
    }

    private static SortedMap<String, String> marks(int value) {
        return new TreeMap<>(Map.of("v", text(value)));
    }

    private static String text(int value) {
        return "v" + value;
    }

    static String words(Content content) {
        return switch (content) {
            case Content.Cluster cluster ->
                "generation=" + cluster.generation() + " shards="
                        + cluster.wish().shards() + " state="
                        + cluster.status().map(status -> status.state().word()).orElse("");
            case Content.Node node ->
                "shard=" + node.shard().index() + " lifecycle="
                        + (node.status().podUid().isEmpty()
                                ? ""
                                : node.status().lifecycle().word())
                        + " podUID=" + node.status().podUid().orElse("");
            case Content.Pod pod ->
                "label=" + pod.labels().getOrDefault("v", "") + " annotation="
                        + pod.annotations().getOrDefault("v", "") + " phase="
                        + pod.state().phase() + " ready=" + pod.state().ready() + " bound="
                        + pod.state().machine().isPresent() + " ip="
                        + pod.state().ip().orElse("") + " exit="
                        + pod.state()
                                .exit()
                                .map(exit -> exit.reason() + exit.exitCode().orElse(0))
                                .orElse("");
            case Content.Service _ -> "";
            case Content.ServerConfig(String file) -> file;
            case Content.Access(AclFile file) -> file.users();
            case Content.DisruptionBudget(int least) -> "minAvailable=" + least;
            case Content.Credentials _, Content.Config _, Content.Image _ ->
                throw new IllegalArgumentException(content + " is not compared");
        };
    }

    // As JSON.

    /** What is created, without its metadata; a Pod's metadata come with {@link #writtenBody}. */
    static Map<String, Object> freshBody(Kind kind, int value) {
        return switch (kind) {
            case CLUSTER -> Map.of(SPEC, Map.of("configRef", "config", "shards", 1 + value));
            case NODE -> Map.of(SPEC, Map.of("clusterName", "c0", "shard", value, "ordinal", 0));
            case POD ->
                Map.of(
                        SPEC,
                        Map.of(
                                "schedulerName",
                                "nobody",
                                "restartPolicy",
                                "Never",
                                "automountServiceAccountToken",
                                false,
                                "terminationGracePeriodSeconds",
                                30,
                                "containers",
                                List.of(Map.of("name", "valkey", "image", "no.such/image:1"))));
            case SERVICE -> Map.of(SPEC, Map.of("clusterIP", "None", "ports", List.of(Map.of("port", 6379))));
            case CONFIG_MAP, SECRET -> writtenBody(kind, value);
            case DISRUPTION_BUDGET ->
                Map.of(
                        SPEC,
                        Map.of("minAvailable", value, "selector", Map.of("matchLabels", Map.of("nobody", "at-all"))));
            case CONFIG, IMAGE -> throw new IllegalArgumentException(kind + " is not compared");
        };
    }

    /** What is written later, without its metadata. */
    static Map<String, Object> writtenBody(Kind kind, int value) {
        return switch (kind) {
            case CLUSTER -> Map.of(SPEC, Map.of("shards", 1 + value));
            case NODE -> Map.of(SPEC, Map.of("shard", value));
            case POD -> Map.of();
            case SERVICE, DISRUPTION_BUDGET -> freshBody(kind, value);
            case CONFIG_MAP -> Map.of("data", Map.of(CONFIG_KEY, text(value)));
            case SECRET ->
                Map.of(
                        "data",
                        Map.of(
                                "users.acl",
                                Base64.getEncoder().encodeToString(text(value).getBytes(StandardCharsets.UTF_8))));
            case CONFIG, IMAGE -> throw new IllegalArgumentException(kind + " is not compared");
        };
    }

    /** What of it stands in the metadata. */
    static Map<String, Object> metadata(Kind kind, int value) {
        return kind == Kind.POD ? Map.of("labels", marks(value), "annotations", marks(value)) : Map.of();
    }

    static Map<String, Object> statusBody(Kind kind, int value) {
        return kind == Kind.CLUSTER
                ? Map.of(STATUS, Map.of("state", STATES.get(value).word()))
                : Map.of(STATUS, Map.of("lifecycle", LIFECYCLES.get(value).word(), "podUID", text(value)));
    }

    static Map<String, Object> runningBody() {
        return Map.of(
                STATUS,
                Map.of(
                        "phase",
                        "Running",
                        "podIP",
                        IP,
                        "podIPs",
                        List.of(Map.of("ip", IP)),
                        "conditions",
                        List.of(Map.of("type", "Ready", "status", "True"))));
    }

    static Map<String, Object> failedBody() {
        Map<String, Object> ended = Map.of("terminated", Map.of("reason", "Error", "exitCode", EXIT_CODE));
        Map<String, Object> container =
                Map.of("name", "valkey", "image", "", "imageID", "", "ready", false, "restartCount", 0, "state", ended);
        return Map.of(
                STATUS,
                Map.of(
                        "phase",
                        "Failed",
                        "containerStatuses",
                        List.of(container),
                        "conditions",
                        List.of(Map.of("type", "Ready", "status", "False"))));
    }

    static String words(Kind kind, JsonNode object) {
        JsonNode spec = object.path(SPEC);
        JsonNode status = object.path(STATUS);
        return switch (kind) {
            case CLUSTER ->
                "generation=" + object.path(METADATA).path("generation").asText() + " shards="
                        + spec.path("shards").asText() + " state="
                        + status.path("state").asText();
            case NODE ->
                "shard=" + spec.path("shard").asText() + " lifecycle="
                        + status.path("lifecycle").asText() + " podUID="
                        + status.path("podUID").asText();
            case POD -> podWords(object);
            case SERVICE -> "";
            case CONFIG_MAP -> object.path("data").path(CONFIG_KEY).asText();
            case SECRET ->
                new String(
                        Base64.getDecoder()
                                .decode(object.path("data").path("users.acl").asText()),
                        StandardCharsets.UTF_8);
            case DISRUPTION_BUDGET ->
                "minAvailable=" + spec.path("minAvailable").asText();
            case CONFIG, IMAGE -> throw new IllegalArgumentException(kind + " is not compared");
        };
    }

    private static String podWords(JsonNode pod) {
        JsonNode status = pod.path(STATUS);
        boolean ready = false;
        for (JsonNode condition : status.path("conditions")) {
            ready |= condition.path("type").asText().equals("Ready")
                    && condition.path("status").asText().equals("True");
        }
        JsonNode ended = status.path("containerStatuses").path(0).path("state").path("terminated");
        return "label=" + pod.path(METADATA).path("labels").path("v").asText() + " annotation="
                + pod.path(METADATA).path("annotations").path("v").asText() + " phase="
                + status.path("phase").asText().toUpperCase(java.util.Locale.ROOT) + " ready=" + ready + " bound="
                + pod.path(SPEC).has("nodeName") + " ip="
                + status.path("podIP").asText() + " exit="
                + ended.path("reason").asText() + ended.path("exitCode").asText();
    }
}
