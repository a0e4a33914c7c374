package com.gomomento.valkey.operator.core.model;

/** The one-word answer to "how is this cluster", as users read it in {@code status.state}. */
public enum ClusterState {
    /** Never served yet; bootstrap is under way. */
    CREATING,
    /** What was observed matches the wish of this generation. */
    ACTIVE,
    /** Was active; a gap is being closed. */
    UPDATING,
    /** An input is unusable; serving nodes are left as they are. */
    INVALID,
    /** Never formed and can't with this input. */
    FAILED
}
