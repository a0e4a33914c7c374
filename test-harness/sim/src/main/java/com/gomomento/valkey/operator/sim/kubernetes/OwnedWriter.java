package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.port.ActionResult;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Writes of objects that a cluster's UID owns, call for call as the real adapter does them: created and never applied over
 * what is another's; later writes and deletes carry the UID; what a write gave goes into the mirror at once.
 */
final class OwnedWriter {

    private final ApiClient api;
    private final Mirror mirror;

    OwnedWriter(ApiClient api, Mirror mirror) {
        this.api = api;
        this.mirror = mirror;
    }

    /** What became of a wish for a new object. */
    sealed interface Creation {}

    /** It was made now. */
    record Made() implements Creation {}

    /** One of this name is there and belongs to this cluster. */
    record Existed(Stored object) implements Creation {}

    /** Neither. */
    record Failed(ActionResult result) implements Creation {}

    Creation create(ClusterDeclaration owner, ObjectKey key, Content content) {
        return switch (api.create(key, owner.uid(), content)) {
            case Reply.Found(Stored object) -> {
                mirror.of(key.kind()).written(object, api.nowMillis());
                yield new Made();
            }
            case Reply.AlreadyExists _ -> existing(owner, key);
            case Reply other -> new Failed(result(other));
        };
    }

    ActionResult apply(ClusterDeclaration owner, ObjectKey key, Content content) {
        Optional<Stored> seen = mirror.get(key).filter(object -> object.ownedBy(owner.uid()));
        if (seen.isPresent()) {
            return written(key, () -> api.apply(key, seen.get().uid(), content));
        }
        return switch (create(owner, key, content)) {
            case Made _ -> new ActionResult.Applied();
            case Existed(Stored object) when object.content().equals(content) -> new ActionResult.AlreadyDone();
            case Existed(Stored object) -> written(key, () -> api.apply(key, object.uid(), content));
            case Failed(ActionResult result) -> result;
        };
    }

    ActionResult merge(ObjectKey key, String uid, UnaryOperator<Content> how) {
        return written(key, () -> api.update(key, uid, how));
    }

    ActionResult mergeStatus(ObjectKey key, long version, UnaryOperator<Content> how) {
        return written(key, () -> api.updateStatus(key, version, how));
    }

    /** Sends a write; one that left the object at the version that was known before had nothing to do. */
    private ActionResult written(ObjectKey key, Supplier<Reply> call) {
        long before = mirror.get(key).map(Stored::version).orElse(-1L);
        Reply reply = call.get();
        if (reply instanceof Reply.Found(Stored object)) {
            mirror.of(key.kind()).written(object, api.nowMillis());
            return object.version() == before ? new ActionResult.AlreadyDone() : new ActionResult.Applied();
        }
        return result(reply);
    }

    ActionResult delete(ClusterDeclaration owner, ObjectKey key, String uid, int graceSeconds) {
        if (belongsToAnother(owner, key, uid)) {
            return foreign(key);
        }
        Reply reply = api.delete(key, uid, graceSeconds);
        return switch (reply) {
            case Reply.NotFound _, Reply.Conflict _ -> {
                mirror.of(key.kind()).knownGone(key, uid, api.nowMillis());
                yield new ActionResult.AlreadyDone();
            }
            case Reply.Found(Stored object) -> {
                mirror.of(key.kind()).written(object, api.nowMillis());
                yield new ActionResult.Applied();
            }
            case Reply.Deleted _ -> {
                mirror.of(key.kind()).knownGone(key, uid, api.nowMillis());
                yield new ActionResult.Applied();
            }
            case Reply.AlreadyExists _,
                    Reply.Invalid _,
                    Reply.Forbidden _,
                    Reply.ServerError _,
                    Reply.Silence _,
                    Reply.NotSent _ -> result(reply);
        };
    }

    /** Reads past the mirror, which takes in what was read. */
    Reply fetch(ObjectKey key) {
        Reply reply = api.get(key);
        if (reply instanceof Reply.Found(Stored object)
                && (key.kind() == Kind.CLUSTER || object.owner().isPresent())) {
            mirror.of(key.kind()).written(object, api.nowMillis());
        }
        return reply;
    }

    boolean belongsToAnother(ClusterDeclaration owner, ObjectKey key, String uid) {
        return mirror.get(key)
                .filter(object -> object.uid().equals(uid) && !object.ownedBy(owner.uid()))
                .isPresent();
    }

    static ActionResult foreign(ObjectKey key) {
        return new ActionResult.Rejected(key + " exists and belongs to somebody else");
    }

    static ActionResult terminating(ObjectKey key) {
        return new ActionResult.Rejected(key + " is being deleted");
    }

    private Creation existing(ClusterDeclaration owner, ObjectKey key) {
        return switch (fetch(key)) {
            case Reply.Found(Stored object) when object.ownedBy(owner.uid()) -> new Existed(object);
            case Reply.Found _ -> new Failed(foreign(key));
            case Reply other -> new Failed(result(other));
        };
    }

    /** What an answer comes to when no special case of it applies. */
    static ActionResult result(Reply reply) {
        return switch (reply) {
            case Reply.Found _, Reply.Deleted _ -> new ActionResult.Applied();
            case Reply.AlreadyExists(String message) -> new ActionResult.Rejected(message);
            case Reply.Conflict(String message) -> new ActionResult.Rejected(message);
            case Reply.Invalid(String message) -> new ActionResult.Rejected(message);
            case Reply.NotFound(String message) -> new ActionResult.Rejected(message);
            case Reply.Forbidden(String message) -> new ActionResult.Rejected(message);
            case Reply.NotSent(String reason) -> new ActionResult.Rejected(reason);
            case Reply.ServerError(String message) -> new ActionResult.Unknown(message);
            case Reply.Silence(String reason) -> new ActionResult.Unknown(reason);
        };
    }
}
