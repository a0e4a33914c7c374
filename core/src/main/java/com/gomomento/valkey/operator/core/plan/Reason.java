package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.Comparator;

/**
 * Why the cluster is not as it is wished to be, and what the operator waits for.
 *
 * @param kind which orders reasons, worst first
 * @param text one sentence without a full stop, for {@code status.message}
 */
public record Reason(Kind kind, String text) implements Comparable<Reason> {

    private static final Comparator<Reason> ORDER =
            Comparator.comparing(Reason::kind).thenComparing(Reason::text);

    /** Refuses a blank text. */
    public Reason {
        Check.notBlank("text", text);
    }

    /** Kinds of trouble, the worst first. */
    public enum Kind {
        /** An input can't be used. */
        INPUT,
        /** Slots have no live owner. */
        UNSERVED,
        /** A server ends again and again. */
        CRASHING,
        /** The API server refused a write. */
        REFUSED,
        /** A pod can't be placed or started. */
        BLOCKED,
        /** A member does not answer. */
        SILENT,
        /** A member was lost and is being replaced. */
        REPLACING,
        /** The wish asks for a change that this version does not carry out. */
        UNSUPPORTED,
        /** Ordinary progress. */
        PROGRESS
    }

    @Override
    public int compareTo(Reason other) {
        return ORDER.compare(this, other);
    }
}
