package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Names, labels and annotations of what the operator makes. Users and their tools rely on them. */
final class Names {

    static final String OPERATOR = "valkey-operator";
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String INSTANCE = "app.kubernetes.io/instance";
    static final String APPLICATION = "app.kubernetes.io/name";
    static final String SHARD = "valkey.gomomento.com/shard";
    static final String TEMPLATE = "valkey.gomomento.com/template";
    static final String ACCESS = "valkey.gomomento.com/access";

    static final String CONFIG_KEY = "valkey.conf";
    static final String USERS_KEY = "users.acl";
    static final String REPLICATION_KEY = "replication.conf";
    static final String OPERATOR_PASSWORD_KEY = "operator-password";
    static final String REPLICATION_PASSWORD_KEY = "replication-password";

    private Names() {}

    /** The headless Service and the PodDisruptionBudget share the cluster's name. */
    static ObjectName service(ClusterKey key) {
        return ObjectName.of(key);
    }

    static ObjectName disruptionBudget(ClusterKey key) {
        return ObjectName.of(key);
    }

    static ObjectName serverConfig(ClusterKey key) {
        return new ObjectName(key.namespace(), key.name() + "-config");
    }

    static ObjectName credentials(ClusterKey key) {
        return new ObjectName(key.namespace(), key.name() + "-internal");
    }

    static ObjectName access(ClusterKey key) {
        return new ObjectName(key.namespace(), key.name() + "-access");
    }

    static ObjectName member(ClusterKey key, NodeName name) {
        return new ObjectName(key.namespace(), name.value());
    }

    /** What tells this cluster's pods from all others in the namespace. */
    static SortedMap<String, String> selector(ClusterKey key) {
        return new TreeMap<>(Map.of(APPLICATION, "valkey", INSTANCE, key.name()));
    }

    /** On everything that belongs to the cluster. */
    static SortedMap<String, String> labels(ClusterKey key) {
        SortedMap<String, String> labels = selector(key);
        labels.put(MANAGED_BY, OPERATOR);
        return labels;
    }

    /** On what belongs to one shard. */
    static SortedMap<String, String> labels(ClusterKey key, ShardId shard) {
        SortedMap<String, String> labels = labels(key);
        labels.put(SHARD, Integer.toString(shard.index()));
        return labels;
    }
}
