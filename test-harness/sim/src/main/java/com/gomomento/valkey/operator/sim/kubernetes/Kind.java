package com.gomomento.valkey.operator.sim.kubernetes;

/** Kinds of objects, in the order in which an operator lists them: pods after the records that may tell of them. */
public enum Kind {
    /** ValkeyCluster. */
    CLUSTER,
    /** ValkeyNode. */
    NODE,
    /** ValkeyConfig. */
    CONFIG,
    /** ValkeyImage. */
    IMAGE,
    /** Pod. */
    POD,
    /** Service. */
    SERVICE,
    /** ConfigMap. */
    CONFIG_MAP,
    /** Secret. */
    SECRET,
    /** PodDisruptionBudget. */
    DISRUPTION_BUDGET
}
