package com.gomomento.valkey.operator.core.plan;

/** Closes one kind of observed gap. A rule reads the situation, adds actions and reasons, and remembers nothing. */
interface Rule {

    /** Adds what this rule wants done now. */
    void apply(Situation situation, Draft draft);
}
