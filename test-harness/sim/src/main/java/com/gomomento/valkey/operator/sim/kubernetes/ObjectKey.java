package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;

/**
 * Where an object is found.
 *
 * @param kind of the object
 * @param namespace its namespace; empty for the catalog's kinds, which have none
 * @param name its name
 */
public record ObjectKey(Kind kind, String namespace, String name) implements Comparable<ObjectKey> {

    /** A ValkeyCluster. */
    public static ObjectKey cluster(ClusterKey cluster) {
        return of(Kind.CLUSTER, cluster, "");
    }

    /** The Pod of a member. */
    public static ObjectKey pod(ClusterKey cluster, NodeName member) {
        return new ObjectKey(Kind.POD, cluster.namespace(), member.value());
    }

    /** The ValkeyNode of a member. */
    public static ObjectKey node(ClusterKey cluster, NodeName member) {
        return new ObjectKey(Kind.NODE, cluster.namespace(), member.value());
    }

    /** An object of the catalog. */
    public static ObjectKey catalog(Kind kind, String name) {
        return new ObjectKey(kind, "", name);
    }

    static ObjectKey service(ClusterKey cluster) {
        return of(Kind.SERVICE, cluster, "");
    }

    static ObjectKey budget(ClusterKey cluster) {
        return of(Kind.DISRUPTION_BUDGET, cluster, "");
    }

    static ObjectKey serverConfig(ClusterKey cluster) {
        return of(Kind.CONFIG_MAP, cluster, "-config");
    }

    static ObjectKey credentials(ClusterKey cluster) {
        return of(Kind.SECRET, cluster, "-internal");
    }

    static ObjectKey access(ClusterKey cluster) {
        return of(Kind.SECRET, cluster, "-access");
    }

    private static ObjectKey of(Kind kind, ClusterKey cluster, String suffix) {
        return new ObjectKey(kind, cluster.namespace(), cluster.name() + suffix);
    }

    @Override
    public int compareTo(ObjectKey other) {
        if (kind != other.kind) {
            return kind.compareTo(other.kind);
        }
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
