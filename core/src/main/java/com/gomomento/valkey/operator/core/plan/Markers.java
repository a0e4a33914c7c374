package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Labels and annotations of pods by which the planner tells what is in force; all under the operator's own prefix. */
public final class Markers {

    /** Prefix that users may not use in {@code podAnnotations}. */
    public static final String PREFIX = "valkey.gomomento.com/";

    /** Annotation: fingerprint of the inputs that the pod was made from. */
    public static final String TEMPLATE = PREFIX + "template";

    /** Annotation: fingerprint of the access files that the pod was started with. */
    public static final String ACCESS = PREFIX + "access";

    /** Label: index of the shard, stable. */
    public static final String SHARD = PREFIX + "shard";

    /** Label: {@code primary} or {@code replica}, follows failovers. */
    public static final String ROLE = PREFIX + "role";

    private static final String RECOMMENDED = "app.kubernetes.io/";

    private Markers() {}

    /** Labels that every pod of this shard has for all its life: Service, PodDisruptionBudget and users select by them. */
    public static SortedMap<String, String> labels(ClusterKey cluster, ShardId shard) {
        return new TreeMap<>(Map.of(
                RECOMMENDED + "name",
                "valkey",
                RECOMMENDED + "instance",
                cluster.name(),
                RECOMMENDED + "managed-by",
                "valkey-operator",
                SHARD,
                Integer.toString(shard.index())));
    }
}
