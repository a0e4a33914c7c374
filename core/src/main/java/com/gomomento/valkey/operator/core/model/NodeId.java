package com.gomomento.valkey.operator.core.model;

import java.util.regex.Pattern;

/** The 40 hex digits by which a valkey-server knows itself and its peers ({@code CLUSTER MYID}). */
public record NodeId(String value) implements Comparable<NodeId> {

    private static final Pattern FORM = Pattern.compile("[0-9a-f]{40}");

    /** Refuses a value of another form. */
    public NodeId {
        Check.that(FORM.matcher(value).matches(), "'" + value + "' is no cluster node id (40 hex digits)");
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
