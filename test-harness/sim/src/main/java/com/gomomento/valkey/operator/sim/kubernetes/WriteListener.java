package com.gomomento.valkey.operator.sim.kubernetes;

/** Is told of every write of one operator to Kubernetes that had an effect, just after it and before anything else happens. */
@FunctionalInterface
public interface WriteListener {

    /** Kinds of writes. */
    enum Verb {
        /** A new object. */
        CREATE,
        /** A change of one. */
        UPDATE,
        /** The beginning of its end, or its end. */
        DELETE
    }

    /**
     * An operator wrote.
     *
     * @param verb what it did
     * @param before the object before it; for a creation, after
     * @param after the object after it; for a deletion that is over, before
     */
    void wrote(Verb verb, Stored before, Stored after);
}
