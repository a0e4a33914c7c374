package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.model.ClusterKey;

/** Told of every change that may matter to a cluster. Called from the watches, so it must return at once. */
@FunctionalInterface
public interface WakeListener {

    /**
     * Something of {@code key} is not as it was.
     *
     * @param key the cluster; it may be gone by now
     * @param reason {@code object updated} or {@code related object updated: KIND.VERSION.GROUP/NAME.NAMESPACE}
     */
    void wake(ClusterKey key, String reason);
}
