package com.gomomento.valkey.operator.core.model;

/** What a member does in its shard, in Valkey's terms. */
public enum Role {
    /** Owns the shard's slots and takes writes. */
    PRIMARY,
    /** Follows a primary. */
    REPLICA
}
