package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.core.port.ActionResult;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Writes of objects that a cluster's UID owns, and of no others (invariant S14): new objects are created, never applied over
 * what somebody else may have put there; every later write carries the object's UID, which the API server checks. What a
 * write gave goes into the mirror at once.
 */
final class OwnedWriter {

    private static final String MANAGER = "?fieldManager=" + Markers.OPERATOR;

    private static final int FORBIDDEN = 403;

    private final ApiServer api;
    private final Mirror mirror;

    OwnedWriter(ApiServer api, Mirror mirror) {
        this.api = api;
        this.mirror = mirror;
    }

    /** What became of a wish for a new object. */
    sealed interface Creation {
        /** It was made now. */
        record Made() implements Creation {}

        /** One of this name is there and belongs to this cluster. */
        record Existed(KubeObject object) implements Creation {}

        /** Neither. */
        record Failed(ActionResult result) implements Creation {}
    }

    /** Creates an object, or finds out whose it is if there is one. */
    Creation create(ResourceKind kind, ClusterDeclaration owner, ObjectName name, Map<String, ?> body) {
        Answer answer = api.post(kind.path(name.namespace()) + MANAGER, body);
        if (answer instanceof Answer.Reply reply && reply.successful()) {
            mirror.of(kind).written(reply.body(), System.nanoTime());
            return new Creation.Made();
        }
        return answer instanceof Answer.Reply reply && reply.alreadyExists()
                ? existing(kind, owner, name)
                : new Creation.Failed(result(kind, answer));
    }

    /** Creates an object or, if there is one of this cluster's, gives it back those fields that are ours. */
    ActionResult apply(ResourceKind kind, ClusterDeclaration owner, ObjectName name, Map<String, Object> body) {
        Optional<String> seen = mirror.of(kind)
                .get(name)
                .filter(object -> object.ownedBy(owner.uid()))
                .map(Cached::uid);
        if (seen.isPresent()) {
            return applyOver(kind, name, seen.get(), body);
        }
        return switch (create(kind, owner, name, body)) {
            case Creation.Made _ -> new ActionResult.Applied();
            case Creation.Existed(KubeObject object) when object.has(body) -> new ActionResult.AlreadyDone();
            case Creation.Existed(KubeObject object) -> applyOver(kind, name, object.uid(), body);
            case Creation.Failed(ActionResult result) -> result;
        };
    }

    /** Changes only the given fields of an object that has this UID. */
    ActionResult merge(
            ResourceKind kind,
            ObjectName name,
            String subresource,
            SortedMap<String, Object> metadata,
            Map<String, ?> rest) {
        SortedMap<String, Object> body = new TreeMap<>(rest);
        body.put("metadata", metadata);
        return write(kind, name, () -> api.merge(kind.path(name) + subresource + MANAGER, body));
    }

    /** Deletes an object if it still has this UID. */
    ActionResult delete(ResourceKind kind, ObjectName name, String uid, Map<String, ?> options) {
        SortedMap<String, Object> body = new TreeMap<>(options);
        body.put("apiVersion", "v1");
        body.put("kind", "DeleteOptions");
        body.put("preconditions", Map.of("uid", uid));
        body.put("propagationPolicy", "Background");
        Answer answer = api.delete(kind.path(name), body);
        if (!(answer instanceof Answer.Reply reply)) {
            return answer.asResult();
        }
        if (reply.notFound() || reply.conflict()) {
            mirror.of(kind).knownGone(name, uid, System.nanoTime());
            return new ActionResult.AlreadyDone();
        }
        if (reply.successful()) {
            if (stays(reply.body(), kind)) {
                mirror.of(kind).written(reply.body(), System.nanoTime());
            } else {
                mirror.of(kind).knownGone(name, uid, System.nanoTime());
            }
        }
        return result(kind, answer);
    }

    /** Reads an object past the mirror, which takes it in unless it is nobody's. */
    Answer fetch(ResourceKind kind, ObjectName name) {
        Answer answer = api.get(kind.path(name));
        if (answer instanceof Answer.Reply reply
                && reply.successful()
                && (kind == ResourceKind.CLUSTER || Cached.owner(reply.body()).isPresent())) {
            mirror.of(kind).written(reply.body(), System.nanoTime());
        }
        return answer;
    }

    /**
     * Gives an object back the label that it is watched by, if it is still there and belongs to a cluster.
     *
     * @return whether it is still there and will be watched again
     */
    boolean reclaim(ResourceKind kind, ObjectName name, String uid) {
        if (!(fetch(kind, name) instanceof Answer.Reply reply && reply.successful())
                || !reply.body().uid().equals(uid)
                || Cached.owner(reply.body()).isEmpty()) {
            return false;
        }
        SortedMap<String, Object> metadata =
                new TreeMap<>(Map.of("uid", uid, "labels", Map.of(Markers.MANAGED_BY, Markers.OPERATOR)));
        return !(merge(kind, name, "", metadata, Map.of()) instanceof ActionResult.Rejected);
    }

    /** Whether the mirror knows this very object as somebody else's. */
    boolean belongsToAnother(ResourceKind kind, ObjectName name, String uid, ClusterDeclaration owner) {
        return mirror.of(kind)
                .get(name)
                .filter(object -> object.uid().equals(uid) && !object.ownedBy(owner.uid()))
                .isPresent();
    }

    static ActionResult foreign(ResourceKind kind, ObjectName name) {
        return new ActionResult.Rejected(kind.kind() + " " + name.name() + " exists and belongs to somebody else");
    }

    static ActionResult terminating(ResourceKind kind, ObjectName name) {
        return new ActionResult.Rejected(kind.kind() + " " + name.name() + " is being deleted");
    }

    private Creation existing(ResourceKind kind, ClusterDeclaration owner, ObjectName name) {
        Answer answer = fetch(kind, name);
        if (!(answer instanceof Answer.Reply reply) || !reply.successful()) {
            return new Creation.Failed(result(kind, answer));
        }
        boolean ours = Cached.owner(reply.body())
                .filter(found -> found.uid().equals(owner.uid()))
                .isPresent();
        return ours ? new Creation.Existed(reply.body()) : new Creation.Failed(foreign(kind, name));
    }

    /**
     * Forced, for these fields are ours on an object that is ours: whoever changed them is overruled. All other fields stay
     * with whom they belong to.
     */
    private ActionResult applyOver(ResourceKind kind, ObjectName name, String uid, Map<String, Object> body) {
        SortedMap<String, Object> metadata = new TreeMap<>(OwnedObjects.metadata(body));
        metadata.put("uid", uid);
        SortedMap<String, Object> guarded = new TreeMap<>(body);
        guarded.put("metadata", metadata);
        return write(kind, name, () -> api.apply(kind.path(name) + MANAGER + "&force=true", guarded));
    }

    /** Sends a write; one that left the object at the version that was known before had nothing to do. */
    private ActionResult write(ResourceKind kind, ObjectName name, Supplier<Answer> call) {
        Optional<String> before = mirror.of(kind).get(name).map(Cached::resourceVersion);
        Answer answer = call.get();
        if (!(answer instanceof Answer.Reply reply && reply.successful())) {
            return result(kind, answer);
        }
        mirror.of(kind).written(reply.body(), System.nanoTime());
        return before.equals(Optional.of(reply.body().resourceVersion()))
                ? new ActionResult.AlreadyDone()
                : new ActionResult.Applied();
    }

    /** An answer to a delete shows the object if it lingers, and either a Status or its last state if it is gone. */
    private static boolean stays(KubeObject body, ResourceKind kind) {
        KubeObject metadata = body.metadata();
        boolean isObject = body.text("kind").equals(Optional.of(kind.kind()));
        boolean graceful = metadata.number("deletionGracePeriodSeconds").orElse(0L) > 0;
        return isObject && body.terminating() && (graceful || metadata.fields().containsKey("finalizers"));
    }

    /** A refused Secret may be quoted in the refusal, so its text goes nowhere (invariant S19). */
    private static ActionResult result(ResourceKind kind, Answer answer) {
        if (kind == ResourceKind.SECRET
                && answer instanceof Answer.Reply reply
                && !reply.successful()
                && reply.code() != FORBIDDEN
                && !reply.notFound()) {
            String text = "the Secret was refused: " + reply.code() + " " + reply.reason();
            return reply.code() >= 500 ? new ActionResult.Unknown(text) : new ActionResult.Rejected(text);
        }
        return answer.asResult();
    }
}
