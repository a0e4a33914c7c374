package com.gomomento.valkey.operator.core.model;

/** How hard the members of a shard are kept in different zones. */
public enum ZoneSpread {
    /** Prefer other zones, but place the pod in any case. */
    BEST_EFFORT,
    /** Leave the pod pending rather than put two of a shard into one zone. */
    REQUIRED
}
