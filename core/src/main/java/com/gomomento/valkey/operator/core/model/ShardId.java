package com.gomomento.valkey.operator.core.model;

/** Position of a shard in the cluster's spec, from 0. */
public record ShardId(int index) implements Comparable<ShardId> {

    /** Refuses a negative index. */
    public ShardId {
        if (index < 0) {
            throw new IllegalArgumentException("shard index is " + index + ", allowed is 0 or more");
        }
    }

    @Override
    public int compareTo(ShardId other) {
        return Integer.compare(index, other.index);
    }
}
