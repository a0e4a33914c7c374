package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;

/** Names of what the operator makes, and keys of its ConfigMap and Secrets. Users and their tools rely on them. */
final class Names {

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
}
