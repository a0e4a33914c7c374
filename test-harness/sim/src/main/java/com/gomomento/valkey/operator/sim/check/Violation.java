package com.gomomento.valkey.operator.sim.check;

/** An invariant does not hold. Ends the run of a world. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String invariant;

    /**
     * Tells what is wrong.
     *
     * @param invariant its short name, such as {@code S1 Claim}
     * @param sentence what was seen
     */
    public Violation(String invariant, String sentence) {
        super(invariant + ": " + sentence);
        this.invariant = invariant;
    }

    /** Short name of the invariant. */
    public String invariant() {
        return invariant;
    }
}
