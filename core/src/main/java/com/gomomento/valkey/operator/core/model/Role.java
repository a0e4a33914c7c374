package com.gomomento.valkey.operator.core.model;

/** What a member does in its shard, in Valkey's terms. */
public enum Role {
    /** Owns the shard's slots and takes writes. */
    PRIMARY("primary"),
    /** Follows a primary. */
    REPLICA("replica");

    private final String word;

    Role(String word) {
        this.word = word;
    }

    /** As labels, status and messages spell it. */
    public String word() {
        return word;
    }
}
