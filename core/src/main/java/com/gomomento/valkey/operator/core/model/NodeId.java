package com.gomomento.valkey.operator.core.model;

/** The 40 hex digits by which a valkey-server knows itself and its peers ({@code CLUSTER MYID}). */
public record NodeId(String value) implements Comparable<NodeId> {

    private static final int HEX_DIGITS = 40;

    /** Refuses a value of another form. */
    public NodeId {
        if (value.length() != HEX_DIGITS || !Check.isLowerHex(value)) {
            throw new IllegalArgumentException("'" + value + "' is no cluster node id (40 hex digits)");
        }
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
