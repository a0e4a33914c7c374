package com.gomomento.valkey.operator.core.model;

/** Where a member stands between its creation and its end; an output of planning, never an input to a decision. */
public enum Lifecycle {
    /** Created, but not yet seen by every other member in its right role. */
    JOINING("Joining"),
    /** A full member in every view. */
    ACTIVE("Active"),
    /** On its way out: dead, replaced or surplus. */
    LEAVING("Leaving");

    private final String word;

    Lifecycle(String word) {
        this.word = word;
    }

    /** As custom resources spell it. */
    public String word() {
        return word;
    }
}
