package com.gomomento.valkey.operator.harness.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Named;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The API server in {@code KUBECONFIG}, in a namespace that is gone when this is closed. Pods are bound to a node of the same
 * name that is nothing but an object: the test plays scheduler and kubelet.
 */
final class ApiRealSide implements ApiSide, AutoCloseable {

    static final List<Kind> KINDS = List.of(
            Kind.CLUSTER, Kind.NODE, Kind.POD, Kind.SERVICE, Kind.CONFIG_MAP, Kind.SECRET, Kind.DISRUPTION_BUDGET);

    /** Stands beside what is compared and is written to find out whether the watches have told all that was before. */
    private static final String FENCE = "fence";

    private static final String MANAGER = "fieldManager=conformance";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ApiCalls api = new ApiCalls();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, String> lastUids = new HashMap<>();
    private final Map<Kind, ApiWatch> watches = new EnumMap<>(Kind.class);
    private int fences;

    ApiRealSide() {
        for (Kind kind : KINDS) {
            create(kind, FENCE, Map.of(), 0);
            String version = api.call("GET", api.path(kind), "", Map.of())
                    .body()
                    .path("metadata")
                    .path("resourceVersion")
                    .asText();
            watches.put(
                    kind,
                    new ApiWatch(
                            api.client(),
                            ApiCalls.apiVersion(kind),
                            ApiCalls.word(kind),
                            ApiCalls.plural(kind),
                            api.namespace(),
                            version));
        }
    }

    @Override
    public String ask(ApiRequest request) {
        JsonNode before = get(request.kind(), request.name());
        ApiCalls.Answer answer = answer(request, before);
        JsonNode after = get(request.kind(), request.name());
        if (after.has("metadata")) {
            lastUids.put(request.kind() + request.name(), uid(after));
        }
        if (!answer.done()) {
            return refusal(answer);
        }
        if (request instanceof ApiRequest.Delete && !lingers(request.kind(), answer.body())) {
            return "Deleted";
        }
        // A binding is answered with a Status.
        JsonNode shown = request instanceof ApiRequest.Bind ? after : answer.body();
        return "Found " + line(request.kind(), shown)
                + (request.kind() == Kind.DISRUPTION_BUDGET
                        ? ""
                        : version(shown).equals(version(before)) ? ", as before" : ", anew");
    }

    private static String refusal(ApiCalls.Answer answer) {
        return switch (answer.code()) {
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 409 -> answer.reason().equals("AlreadyExists") ? "AlreadyExists" : "Conflict";
            // The model knows no other value that is not allowed.
            case 422 ->
                answer.body().path("message").asText().contains("metadata.uid: Invalid value")
                        ? "Invalid"
                        : "Invalid " + answer.body().path("message").asText();
            default -> answer.code() + " " + answer.body().path("message").asText();
        };
    }

    private ApiCalls.Answer answer(ApiRequest request, JsonNode before) {
        Kind kind = request.kind();
        String path = api.path(kind) + "/" + request.name();
        return switch (request) {
            case ApiRequest.Create it ->
                create(kind, it.name(), it.owner().map(this::ownerReference).orElse(Map.of()), it.value());
            case ApiRequest.Write it -> {
                Map<String, Object> metadata = new TreeMap<>(preconditions(it, before));
                if (it.manner() != ApiRequest.Manner.STATUS) {
                    metadata.putAll(ApiContent.metadata(kind, it.value()));
                }
                yield switch (it.manner()) {
                    case MERGE ->
                        api.call(
                                "PATCH",
                                path + "?" + MANAGER,
                                MERGE_PATCH,
                                body(metadata, ApiContent.writtenBody(kind, it.value())));
                    case STATUS ->
                        api.call(
                                "PATCH",
                                path + "/status?" + MANAGER,
                                MERGE_PATCH,
                                body(metadata, ApiContent.statusBody(kind, it.value())));
                    case APPLY -> {
                        Map<String, Object> whole = body(metadata, ApiContent.writtenBody(kind, it.value()));
                        whole.put("apiVersion", ApiCalls.apiVersion(kind));
                        whole.put("kind", ApiCalls.word(kind));
                        yield api.call("PATCH", path + "?force=true&" + MANAGER, "application/apply-patch+yaml", whole);
                    }
                };
            }
            case ApiRequest.Delete it -> {
                Map<String, Object> options = new TreeMap<>(Map.of(
                        "apiVersion", "v1",
                        "kind", "DeleteOptions",
                        "gracePeriodSeconds", it.graceSeconds(),
                        "propagationPolicy", "Background"));
                named(it.uid(), kind, it.name(), before)
                        .ifPresent(uid -> options.put("preconditions", Map.of("uid", uid)));
                yield api.call("DELETE", path, "application/json", options);
            }
            case ApiRequest.Bind it ->
                api.call(
                        "POST",
                        path + "/binding",
                        "application/json",
                        Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "Binding",
                                "metadata",
                                Map.of("name", it.name()),
                                "target",
                                Map.of("kind", "Node", "name", api.namespace())));
            case ApiRequest.Run _ -> api.call("PATCH", path + "/status", MERGE_PATCH, ApiContent.runningBody());
            case ApiRequest.Fail _ -> api.call("PATCH", path + "/status", MERGE_PATCH, ApiContent.failedBody());
        };
    }

    private ApiCalls.Answer create(Kind kind, String name, Map<String, Object> owner, int value) {
        Map<String, Object> metadata = new TreeMap<>(ApiContent.metadata(kind, value));
        metadata.put("name", name);
        if (!owner.isEmpty()) {
            metadata.put("ownerReferences", List.of(owner));
        }
        Map<String, Object> whole = body(metadata, ApiContent.freshBody(kind, value));
        whole.put("apiVersion", ApiCalls.apiVersion(kind));
        whole.put("kind", ApiCalls.word(kind));
        return api.call("POST", api.path(kind) + "?" + MANAGER, "application/json", whole);
    }

    private Map<String, Object> ownerReference(String cluster) {
        return Map.of(
                "apiVersion",
                ValkeyKind.API_VERSION,
                "kind",
                ValkeyKind.CLUSTER.kind(),
                "name",
                cluster,
                "uid",
                uid(Kind.CLUSTER, cluster, get(Kind.CLUSTER, cluster)),
                "controller",
                true,
                "blockOwnerDeletion",
                true);
    }

    private Map<String, Object> preconditions(ApiRequest.Write it, JsonNode before) {
        Map<String, Object> metadata = new TreeMap<>();
        named(it.uid(), it.kind(), it.name(), before).ifPresent(uid -> metadata.put("uid", uid));
        switch (it.version()) {
            case NOTHING -> {}
            case RIGHT -> metadata.put("resourceVersion", before.has("metadata") ? version(before) : "1");
            case WRONG ->
                metadata.put(
                        "resourceVersion",
                        before.has("metadata") ? Long.toString(Long.parseLong(version(before)) - 1) : "1");
        }
        return metadata;
    }

    private Optional<String> named(Named uid, Kind kind, String name, JsonNode before) {
        return switch (uid) {
            case NOTHING -> Optional.empty();
            case RIGHT -> Optional.of(uid(kind, name, before));
            case WRONG -> Optional.of(NOBODYS_UID);
        };
    }

    private String uid(Kind kind, String name, JsonNode there) {
        return there.has("metadata") ? uid(there) : lastUids.getOrDefault(kind + name, NOBODYS_UID);
    }

    /** As the adapter tells it: an answer to a delete shows the object if it lingers, else a Status or its last state. */
    private static boolean lingers(Kind kind, JsonNode body) {
        JsonNode metadata = body.path("metadata");
        return body.path("kind").asText().equals(ApiCalls.word(kind))
                && metadata.has("deletionTimestamp")
                && metadata.path("deletionGracePeriodSeconds").asLong() > 0;
    }

    @Override
    public List<String> list(Kind kind) {
        List<String> lines = new ArrayList<>();
        for (JsonNode object :
                api.call("GET", api.path(kind), "", Map.of()).body().path("items")) {
            if (isCompared(object)) {
                lines.add(line(kind, object));
            }
        }
        return lines;
    }

    @Override
    public List<String> podsLabelled(String value) {
        List<String> found = new ArrayList<>();
        String path = api.path(Kind.POD) + "?labelSelector=v%3D" + value;
        for (JsonNode object : api.call("GET", path, "", Map.of()).body().path("items")) {
            if (isCompared(object)) {
                found.add(object.path("metadata").path("name").asText());
            }
        }
        return found;
    }

    @Override
    public List<String> news(Kind kind) {
        fences++;
        String mark = Integer.toString(fences);
        ApiCalls.Answer marked = api.call(
                "PATCH",
                api.path(kind) + "/" + FENCE,
                MERGE_PATCH,
                Map.of("metadata", Map.of("labels", Map.of("fence", mark))));
        if (!marked.done()) {
            throw new AssertionError("the fence can't be moved: " + marked.body());
        }
        ApiWatch watch = Optional.ofNullable(watches.get(kind)).orElseThrow();
        List<String> news = new ArrayList<>();
        while (true) {
            ApiWatch.Event event = watch.next();
            JsonNode metadata = event.object().path("metadata");
            if (metadata.path("name").asText().equals(FENCE)
                    && metadata.path("labels").path("fence").asText().equals(mark)) {
                return news;
            }
            if (isCompared(event.object())) {
                news.add(event.type() + " " + line(kind, event.object()));
            }
        }
    }

    /** Kubernetes puts a ConfigMap of its own into every namespace. */
    private static boolean isCompared(JsonNode object) {
        String name = object.path("metadata").path("name").asText();
        return !name.equals(FENCE) && !name.equals("kube-root-ca.crt");
    }

    private String line(Kind kind, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String owner = metadata.path("ownerReferences").path(0).path("uid").asText();
        return metadata.path("name").asText() + " " + name(uid(object))
                + (owner.isEmpty() ? "" : " of " + name(owner))
                + (metadata.has("deletionTimestamp") ? " terminating " : " ") + ApiContent.words(kind, object);
    }

    private String name(String uid) {
        return uid.equals(NOBODYS_UID) ? "nobody" : names.computeIfAbsent(uid, _ -> "u" + (names.size() + 1));
    }

    private JsonNode get(Kind kind, String name) {
        ApiCalls.Answer answer = api.call("GET", api.path(kind) + "/" + name, "", Map.of());
        return answer.done() ? answer.body() : MAPPER.createObjectNode();
    }

    void limitPods(int most) {
        api.limitPods(most);
    }

    void awaitPodsCounted(int pods) {
        api.awaitPodsCounted(pods);
    }

    /** How a watch of Pods from this version is answered: the code, of the answer or of the first event. */
    int watchCode(Kind kind, String version) {
        ApiCalls.Answer answer = api.call(
                "GET", api.path(kind) + "?watch=true&timeoutSeconds=1&resourceVersion=" + version, "", Map.of());
        JsonNode event = answer.body().path("object");
        return event.path("kind").asText().equals("Status") ? event.path("code").asInt() : answer.code();
    }

    private static Map<String, Object> body(Map<String, Object> metadata, Map<String, Object> rest) {
        Map<String, Object> body = new TreeMap<>(rest);
        body.put("metadata", metadata);
        return body;
    }

    private static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    private static String version(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asText();
    }

    @Override
    public void close() {
        watches.values().forEach(ApiWatch::close);
        api.close();
    }
}
