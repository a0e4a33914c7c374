package com.gomomento.valkey.operator.core.plan;

import java.time.Duration;

/**
 * One idempotent step. Actions of one plan are independent of each other: an executor may run them in any order or at the
 * same time.
 */
public sealed interface Action permits KubernetesAction, ValkeyAction {

    /**
     * Names the action and its subject, stable over plans: a refused action is retried later under the same key, and no
     * earlier.
     */
    String key();

    /**
     * How long the action may take to show in an observation after it was accepted; it is not given again before. Nothing for
     * those that show at once.
     */
    default Duration settles() {
        return Duration.ZERO;
    }
}
