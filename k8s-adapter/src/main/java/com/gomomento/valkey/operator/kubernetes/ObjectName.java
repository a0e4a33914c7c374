package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import java.util.Comparator;

/** Where an object of a known kind is found; the namespace of cluster-scoped objects is empty. */
record ObjectName(String namespace, String name) implements Comparable<ObjectName> {

    private static final Comparator<ObjectName> ORDER =
            Comparator.comparing(ObjectName::namespace).thenComparing(ObjectName::name);

    static ObjectName of(ClusterKey key) {
        return new ObjectName(key.namespace(), key.name());
    }

    @Override
    public int compareTo(ObjectName other) {
        return ORDER.compare(this, other);
    }
}
