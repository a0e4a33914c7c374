package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeName;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/**
 * Everything in Kubernetes that one cluster's UID owns.
 *
 * @param records ValkeyNodes by name
 * @param pods Pods by name
 * @param servicePresent whether the headless Service exists
 * @param serverConfig content of {@code valkey.conf} in the ConfigMap
 * @param credentials the internal users' passwords, if the Secret exists and is whole
 * @param aclFile content of {@code users.acl} in the Secret that pods mount
 * @param minAvailable of the PodDisruptionBudget
 */
public record KubernetesView(
        SortedMap<NodeName, NodeRecord> records,
        SortedMap<NodeName, PodView> pods,
        boolean servicePresent,
        Optional<String> serverConfig,
        Optional<Credentials> credentials,
        Optional<AclFile> aclFile,
        OptionalInt minAvailable) {

    /** Copies its maps. */
    public KubernetesView {
        records = Check.sortedCopy(records);
        pods = Check.sortedCopy(pods);
    }
}
