package com.gomomento.valkey.operator.core.model;

/** A primary's claim number: of two that claim a slot, the higher one wins. 0 on a node that never claimed anything. */
public record ConfigEpoch(long value) implements Comparable<ConfigEpoch> {

    /** Refuses a negative number. */
    public ConfigEpoch {
        Check.atLeast("config epoch", 0, value);
    }

    @Override
    public int compareTo(ConfigEpoch other) {
        return Long.compare(value, other.value);
    }
}
