package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.port.ActionResult;

/** What became of one call to the API server. */
sealed interface Answer {

    /** The server answered. */
    record Reply(int code, KubeObject body) implements Answer {

        private static final int CONFLICT = 409;
        private static final int NOT_FOUND = 404;
        private static final int GONE = 410;

        boolean successful() {
            return code >= 200 && code < 300;
        }

        boolean created() {
            return code == 201;
        }

        boolean notFound() {
            return code == NOT_FOUND;
        }

        /** The history that was asked for is no longer kept. */
        boolean expired() {
            return code == GONE;
        }

        boolean alreadyExists() {
            return code == CONFLICT && reason().equals("AlreadyExists");
        }

        /** A precondition did not hold: UID, resourceVersion, or a field that belongs to somebody else. */
        boolean conflict() {
            return code == CONFLICT && !reason().equals("AlreadyExists");
        }

        String reason() {
            return body.text("reason").orElse("");
        }

        /** The server's own words. */
        String message() {
            return body.text("message").orElse("the API server answered " + code);
        }
    }

    /** The call may have been carried out; nobody told. */
    record Silence(String reason) implements Answer {}

    /** The call never left, so it changed nothing. */
    record NotSent(String reason) implements Answer {}

    /** What a write came to, when no special case of it applies. */
    default ActionResult asResult() {
        return switch (this) {
            case Reply reply when reply.successful() -> new ActionResult.Applied();
            case Reply reply when reply.code() >= 500 -> new ActionResult.Unknown(reply.message());
            case Reply reply -> new ActionResult.Rejected(reply.message());
            case Silence(String reason) -> new ActionResult.Unknown(reason);
            case NotSent(String reason) -> new ActionResult.Rejected(reason);
        };
    }
}
