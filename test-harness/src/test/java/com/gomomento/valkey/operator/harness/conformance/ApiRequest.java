package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import java.util.Optional;

/**
 * Something that is asked of an API server. {@code value} stands for what an object holds: 0 to 2, in words of its kind (see
 * {@link ApiContent}).
 */
sealed interface ApiRequest {

    /** Kind of the object. */
    Kind kind();

    /** Name of the object. */
    String name();

    /** What a precondition names. */
    enum Named {
        /** Nothing. */
        NOTHING,
        /** What is there now, or was there last. */
        RIGHT,
        /** Something else. */
        WRONG
    }

    /** How an object is written. */
    enum Manner {
        /** Merge patch. */
        MERGE,
        /** Server-side apply, forced, with the UID named. */
        APPLY,
        /** Merge patch of the status subresource. */
        STATUS
    }

    /**
     * Creates an object.
     *
     * @param owner name of the ValkeyCluster that is to own it, there or gone
     */
    record Create(Kind kind, String name, Optional<String> owner, int value) implements ApiRequest {}

    /** Writes an object. */
    record Write(Kind kind, String name, Manner manner, int value, Named uid, Named version) implements ApiRequest {}

    /** Deletes an object. */
    record Delete(Kind kind, String name, Named uid, int graceSeconds) implements ApiRequest {}

    /** Binds a Pod to a node, as the scheduler does. */
    record Bind(String name) implements ApiRequest {
        @Override
        public Kind kind() {
            return Kind.POD;
        }
    }

    /** Reports a bound Pod as running and ready, as its kubelet does. */
    record Run(String name) implements ApiRequest {
        @Override
        public Kind kind() {
            return Kind.POD;
        }
    }

    /** Reports a bound Pod as failed, as its kubelet does. */
    record Fail(String name) implements ApiRequest {
        @Override
        public Kind kind() {
            return Kind.POD;
        }
    }
}
