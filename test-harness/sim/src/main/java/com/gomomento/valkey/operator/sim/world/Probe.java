package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.Check;

/**
 * One disturbance at one exact step of a history, so that every step can be tried in turn.
 *
 * @param kind what happens
 * @param at the how-many-th write or change it happens at, from 1
 */
public record Probe(Kind kind, long at) {

    /** Refuses what is before the first step. */
    public Probe {
        Check.atLeast("step", 1, at);
    }

    /** Kinds of probes. */
    public enum Kind {
        /** The operator ends just after its {@code at}th effective write. */
        CRASH_AT_WRITE,
        /** Just as the {@code at}th object changes, the operator's watch of that kind goes deaf for some seconds. */
        DEAF_AT_CHANGE,
        /** With the {@code at}th effective write a second operator is started and goes on beside the first. */
        SECOND_AT_WRITE
    }

    @Override
    public String toString() {
        return kind + " " + at;
    }
}
