package com.gomomento.valkey.operator.core.plan;

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
}
