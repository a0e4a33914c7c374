package com.gomomento.valkey.operator.sim.kubernetes;

/** What the API server answers. */
public sealed interface Reply {

    /** Done, or nothing to do: the object as it is now. */
    record Found(Stored object) implements Reply {}

    /** Deleted and gone. */
    record Deleted() implements Reply {}

    /** 409, reason AlreadyExists. */
    record AlreadyExists(String message) implements Reply {}

    /** 409, reason Conflict: UID or resourceVersion differ. */
    record Conflict(String message) implements Reply {}

    /** 422: a write names another UID than the object has, or a value that is not allowed. */
    record Invalid(String message) implements Reply {}

    /** 404. */
    record NotFound(String message) implements Reply {}

    /** 403: a quota, a right, an admission. */
    record Forbidden(String message) implements Reply {}

    /** 500 and above: it may have been done. */
    record ServerError(String message) implements Reply {}

    /** No answer: it may have been done. */
    record Silence(String reason) implements Reply {}

    /** The call never left. */
    record NotSent(String reason) implements Reply {}
}
