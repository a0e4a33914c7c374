package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.util.Optional;

/**
 * One ValkeyNode: the operator's own record of a member.
 *
 * @param name shared with the member's Pod
 * @param uid {@code metadata.uid}
 * @param terminating whether {@code metadata.deletionTimestamp} is set
 * @param shard the shard it was made for ({@code spec.shard})
 * @param ordinal its seat within the shard, from 0 ({@code spec.ordinal}); the first primary sat on seat 0, later ones may
 *     sit anywhere
 * @param replaces the member whose seat it took over ({@code spec.replaces})
 * @param status what was last written to its status
 */
public record NodeRecord(
        NodeName name,
        String uid,
        boolean terminating,
        ShardId shard,
        int ordinal,
        Optional<NodeName> replaces,
        Status status) {

    /** Refuses a negative ordinal. */
    public NodeRecord {
        Check.notBlank("uid", uid);
        Check.atLeast("ordinal", 0, ordinal);
    }

    /** The same with another status. */
    public NodeRecord withStatus(Status other) {
        return new NodeRecord(name, uid, terminating, shard, ordinal, replaces, other);
    }

    /**
     * {@code status} of a ValkeyNode, utilization aside.
     *
     * @param lifecycle Joining, Active or Leaving
     * @param role last seen
     * @param podUid UID of the member's one pod; once set, a missing pod is a lost pod
     * @param podIp last seen
     * @param nodeId last seen
     */
    public record Status(
            Lifecycle lifecycle,
            Optional<Role> role,
            Optional<String> podUid,
            Optional<String> podIp,
            Optional<NodeId> nodeId) {

        /** Of a member that was just written down. */
        public static final Status NEW =
                new Status(Lifecycle.JOINING, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
}
