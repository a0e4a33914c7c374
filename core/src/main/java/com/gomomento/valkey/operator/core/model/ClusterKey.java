package com.gomomento.valkey.operator.core.model;

import java.util.Comparator;

/** Where a ValkeyCluster is found: its namespace and name, both Kubernetes names and never blank. */
public record ClusterKey(String namespace, String name) implements Comparable<ClusterKey> {

    private static final Comparator<ClusterKey> ORDER =
            Comparator.comparing(ClusterKey::namespace).thenComparing(ClusterKey::name);

    /** Refuses a blank part. */
    public ClusterKey {
        Check.notBlank("namespace", namespace);
        Check.notBlank("name", name);
    }

    @Override
    public int compareTo(ClusterKey other) {
        return ORDER.compare(this, other);
    }

    /** {@code namespace/name}, as people write it. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
