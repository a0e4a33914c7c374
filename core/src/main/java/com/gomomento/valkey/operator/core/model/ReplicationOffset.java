package com.gomomento.valkey.operator.core.model;

/** Bytes of the replication stream that a node has produced (primary) or received (replica), 0 or more. */
public record ReplicationOffset(long bytes) implements Comparable<ReplicationOffset> {

    /** Refuses a negative count. */
    public ReplicationOffset {
        Check.atLeast("replication offset", 0, bytes);
    }

    @Override
    public int compareTo(ReplicationOffset other) {
        return Long.compare(bytes, other.bytes);
    }
}
