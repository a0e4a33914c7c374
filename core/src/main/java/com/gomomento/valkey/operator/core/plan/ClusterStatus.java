package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.util.List;
import java.util.Optional;

/**
 * {@code status} of a ValkeyCluster, without {@code formedAt}.
 *
 * @param state one word
 * @param message the worst problem first, empty when there is none
 * @param observedGeneration the generation that this status speaks of
 * @param conditions in the order in which they are shown
 * @param shards shards that serve slots
 * @param nodes every member
 * @param readyNodes members that are Active and whose pod is Ready
 * @param desiredNodes members that the wish asks for
 * @param slotsAssigned slots with an owner in the majority view, 0 to 16384
 * @param version of the server, if the wish resolved
 * @param endpoint host and port for clients
 */
public record ClusterStatus(
        ClusterState state,
        String message,
        long observedGeneration,
        List<Condition> conditions,
        int shards,
        List<Node> nodes,
        int readyNodes,
        int desiredNodes,
        int slotsAssigned,
        Optional<String> version,
        String endpoint) {

    /** Copies its lists. */
    public ClusterStatus {
        conditions = List.copyOf(conditions);
        nodes = List.copyOf(nodes);
    }

    /** The same status in other words: as the message, and as that of each condition that had the same. */
    ClusterStatus withMessage(String words) {
        List<Condition> reworded = conditions.stream()
                .map(condition -> condition.message().equals(message)
                        ? new Condition(condition.type(), condition.holds(), condition.reason(), words)
                        : condition)
                .toList();
        return new ClusterStatus(
                state,
                words,
                observedGeneration,
                reworded,
                shards,
                nodes,
                readyNodes,
                desiredNodes,
                slotsAssigned,
                version,
                endpoint);
    }

    /** A line of {@code status.nodes}. */
    public record Node(NodeName name, ShardId shard, Optional<Role> role, Lifecycle lifecycle, boolean ready) {}

    /**
     * A standard Kubernetes condition, without its transition time, which whoever writes it keeps.
     *
     * @param type such as {@code Ready}
     * @param holds True or False
     * @param reason CamelCase, for machines
     * @param message for people, may be empty
     */
    public record Condition(String type, boolean holds, String reason, String message) {}
}
