package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Labels of all that belongs to a cluster, and labels and annotations of pods by which the planner tells what is in force.
 * Users and their tools rely on them.
 */
public final class Markers {

    /** Prefix that users may not use in {@code podAnnotations}. */
    public static final String PREFIX = "valkey.gomomento.com/";

    /** Annotation: fingerprint of the inputs that the pod was made from and that only another pod can change. */
    public static final String TEMPLATE = PREFIX + "template";

    /** Annotation: the user's directives with which the pod's server runs, a line each. */
    public static final String DIRECTIVES = PREFIX + "directives";

    /** Annotation: how the server itself told those directives when they came into force, a line each. */
    public static final String DIRECTIVES_TOLD = PREFIX + "directives-told";

    /** Annotation: fingerprint of the access files that the pod was started with. */
    public static final String ACCESS = PREFIX + "access";

    /** Label: index of the shard, stable. */
    public static final String SHARD = PREFIX + "shard";

    /**
     * Label: name of the ValkeyNode, which is the pod's own. A selector sees labels only, and the successor of a member is
     * placed by where the others of its shard are, not by where the member is that goes.
     */
    public static final String NODE = PREFIX + "node";

    /** Label: {@code primary} or {@code replica}, follows failovers. */
    public static final String ROLE = PREFIX + "role";

    /** Label that Kubernetes recommends: what runs, {@code valkey}. */
    public static final String APPLICATION = "app.kubernetes.io/name";

    /** Label that Kubernetes recommends: the cluster's name. */
    public static final String INSTANCE = "app.kubernetes.io/instance";

    /** Label that Kubernetes recommends: {@link #OPERATOR}. */
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** What the operator calls itself. */
    public static final String OPERATOR = "valkey-operator";

    private Markers() {}

    /** What tells this cluster's pods from all others in the namespace: Service, PodDisruptionBudget and users select by it. */
    public static SortedMap<String, String> selector(ClusterKey cluster) {
        return new TreeMap<>(Map.of(APPLICATION, "valkey", INSTANCE, cluster.name()));
    }

    /** On everything that belongs to the cluster. */
    public static SortedMap<String, String> labels(ClusterKey cluster) {
        SortedMap<String, String> labels = selector(cluster);
        labels.put(MANAGED_BY, OPERATOR);
        return labels;
    }

    /** On everything that belongs to this shard, for all its life. */
    public static SortedMap<String, String> labels(ClusterKey cluster, ShardId shard) {
        SortedMap<String, String> labels = labels(cluster);
        labels.put(SHARD, Integer.toString(shard.index()));
        return labels;
    }

    /** On a member's pod, for all its life. */
    public static SortedMap<String, String> labels(ClusterKey cluster, ShardId shard, NodeName node) {
        SortedMap<String, String> labels = labels(cluster, shard);
        labels.put(NODE, node.value());
        return labels;
    }
}
