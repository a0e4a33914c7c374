package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Names of new members, {@code {cluster}-{5 hex}}, derived from what the member is for. Two operators that see the same gap,
 * or one that sees it twice through a stale cache, arrive at the same name, and the second create meets the first. The name
 * of a successor derives from its predecessor, so it is a new one.
 */
final class MemberNames {

    private static final int HEX_DIGITS = 5;
    private static final int MAX_SALT = 1000;

    private MemberNames() {}

    /**
     * The name for a seat.
     *
     * @param clusterUid owner of the member
     * @param clusterName prefix
     * @param replaces whose seat it takes over
     * @param taken whether a name belongs to another member already; 20 bits collide now and then
     */
    static NodeName derive(
            String clusterUid,
            String clusterName,
            ShardId shard,
            int ordinal,
            Optional<NodeName> replaces,
            Predicate<NodeName> taken) {
        String predecessor = replaces.map(NodeName::value).orElse("");
        for (int salt = 0; salt < MAX_SALT; salt++) {
            String hex = Fingerprint.of(
                            clusterUid,
                            Integer.toString(shard.index()),
                            Integer.toString(ordinal),
                            predecessor,
                            Integer.toString(salt))
                    .hex()
                    .substring(0, HEX_DIGITS);
            NodeName name = new NodeName(clusterName + "-" + hex);
            if (!taken.test(name)) {
                return name;
            }
        }
        throw new IllegalStateException("no free name for shard " + shard.index() + " of " + clusterName);
    }
}
