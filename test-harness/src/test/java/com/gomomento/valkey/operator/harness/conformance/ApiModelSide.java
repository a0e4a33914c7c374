package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Named;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import com.gomomento.valkey.operator.sim.kubernetes.ApiServer;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.kubernetes.Reply;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The model. */
final class ApiModelSide implements ApiSide {

    private static final String NAMESPACE = "shop";

    private final Timeline timeline = new Timeline();
    private final ApiServer api;
    private final Map<String, String> names = new HashMap<>();
    private final Map<ObjectKey, String> lastUids = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private final Map<Kind, Integer> heard = new EnumMap<>(Kind.class);

    ApiModelSide(long seed) {
        this.api = new ApiServer(timeline, new Dice(seed));
    }

    /** Lets the garbage collector work. */
    void settle() {
        timeline.pass(Duration.ofSeconds(10));
    }

    void limitPods(int most) {
        api.limitPods(most);
    }

    Optional<Stored> get(Kind kind, String name) {
        return api.get(key(kind, name));
    }

    /** Whether an object of this owner's would be collected. */
    boolean isOwnerGone(String cluster) {
        return get(Kind.CLUSTER, cluster).isEmpty();
    }

    @Override
    public String ask(ApiRequest request) {
        ObjectKey key = key(request.kind(), request.name());
        OptionalLong before = api.get(key).stream().mapToLong(Stored::version).findFirst();
        Reply reply = reply(request, key, before);
        api.get(key).ifPresent(there -> lastUids.put(key, there.uid()));
        return switch (reply) {
            case Reply.Found(Stored object) ->
                "Found " + line(object)
                        + (request.kind() == Kind.DISRUPTION_BUDGET
                                ? ""
                                : before.equals(OptionalLong.of(object.version())) ? ", as before" : ", anew");
            case Reply.Deleted _ -> "Deleted";
            case Reply.AlreadyExists _ -> "AlreadyExists";
            case Reply.Conflict _ -> "Conflict";
            case Reply.Invalid _ -> "Invalid";
            case Reply.NotFound _ -> "NotFound";
            case Reply.Forbidden _ -> "Forbidden";
            case Reply.ServerError _, Reply.Silence _, Reply.NotSent _ -> "no answer";
        };
    }

    private Reply reply(ApiRequest request, ObjectKey key, OptionalLong before) {
        return switch (request) {
            case ApiRequest.Create it ->
                api.create(
                        key,
                        it.owner().map(owner -> uid(key(Kind.CLUSTER, owner))),
                        ApiContent.fresh(it.kind(), it.value()));
            case ApiRequest.Write it -> {
                OptionalLong version = switch (it.version()) {
                    case NOTHING -> OptionalLong.empty();
                    case RIGHT -> OptionalLong.of(before.orElse(1));
                    case WRONG -> OptionalLong.of(before.orElse(2) - 1);
                };
                Optional<String> uid = named(it.uid(), key);
                yield switch (it.manner()) {
                    case MERGE -> api.update(key, uid, version, content -> ApiContent.written(content, it.value()));
                    case STATUS ->
                        api.updateStatus(key, version, content -> ApiContent.withStatus(content, it.value()));
                    case APPLY ->
                        api.apply(
                                key,
                                uid.orElse(NOBODYS_UID),
                                get(it.kind(), it.name())
                                        .map(there -> ApiContent.written(there.content(), it.value()))
                                        .orElseGet(() -> ApiContent.fresh(it.kind(), it.value())));
                };
            }
            case ApiRequest.Delete it -> api.delete(key, named(it.uid(), key), it.graceSeconds());
            case ApiRequest.Bind _ -> change(key, ApiContent::bound);
            case ApiRequest.Run _ -> change(key, ApiContent::running);
            case ApiRequest.Fail _ -> change(key, ApiContent::failed);
        };
    }

    private Reply change(ObjectKey key, UnaryOperator<Content> how) {
        return api.update(key, Optional.empty(), OptionalLong.empty(), how);
    }

    private Optional<String> named(Named uid, ObjectKey key) {
        return switch (uid) {
            case NOTHING -> Optional.empty();
            case RIGHT -> Optional.of(uid(key));
            case WRONG -> Optional.of(NOBODYS_UID);
        };
    }

    private String uid(ObjectKey key) {
        return api.get(key).map(Stored::uid).orElseGet(() -> lastUids.getOrDefault(key, NOBODYS_UID));
    }

    @Override
    public List<String> list(Kind kind) {
        return api.list(kind).stream().map(this::line).toList();
    }

    @Override
    public List<String> podsLabelled(String value) {
        return api.list(Kind.POD).stream()
                .filter(pod -> value.equals(pod.pod().labels().get("v")))
                .map(pod -> pod.key().name())
                .toList();
    }

    @Override
    public List<String> news(Kind kind) {
        List<ApiServer.Change> history = api.history(kind);
        List<String> news = new ArrayList<>();
        for (ApiServer.Change change : history.subList(heard.getOrDefault(kind, 0), history.size())) {
            boolean first = told.add(change.object().uid());
            news.add((change.deleted() ? "DELETED " : first ? "ADDED " : "MODIFIED ") + line(change.object()));
        }
        heard.put(kind, history.size());
        return news;
    }

    private String line(Stored object) {
        return object.key().name() + " " + name(object.uid())
                + object.owner().map(owner -> " of " + name(owner)).orElse("")
                + (object.terminating() ? " terminating " : " ") + ApiContent.words(object.content());
    }

    private String name(String uid) {
        return uid.equals(NOBODYS_UID) ? "nobody" : names.computeIfAbsent(uid, _ -> "u" + (names.size() + 1));
    }

    private static ObjectKey key(Kind kind, String name) {
        return new ObjectKey(kind, NAMESPACE, name);
    }
}
