package com.gomomento.valkey.operator.core.model;

/** How hard the members of a shard are kept in different zones. */
public enum ZoneSpread {
    /** Prefer other zones, but place the pod in any case. */
    BEST_EFFORT("bestEffort"),
    /** Leave the pod pending rather than put two of a shard into one zone. */
    REQUIRED("required");

    private final String word;

    ZoneSpread(String word) {
        this.word = word;
    }

    /** As custom resources spell it. */
    public String word() {
        return word;
    }
}
