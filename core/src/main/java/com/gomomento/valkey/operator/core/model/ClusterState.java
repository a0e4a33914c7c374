package com.gomomento.valkey.operator.core.model;

/** The one-word answer to "how is this cluster", as users read it in {@code status.state}. */
public enum ClusterState {
    /** Never served yet; bootstrap is under way. */
    CREATING("Creating"),
    /** What was observed matches the wish of this generation. */
    ACTIVE("Active"),
    /** Was active; a gap is being closed. */
    UPDATING("Updating"),
    /** An input is unusable; serving nodes are left as they are. */
    INVALID("Invalid"),
    /** Never formed and can't with this input. */
    FAILED("Failed");

    private final String word;

    ClusterState(String word) {
        this.word = word;
    }

    /** As {@code status.state} spells it. */
    public String word() {
        return word;
    }
}
