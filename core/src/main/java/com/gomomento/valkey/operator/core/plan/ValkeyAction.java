package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.List;
import java.util.Optional;

/**
 * A command to one member. Its guard is rechecked on the same connection just before the command: the node must still be
 * {@link #nodeId()}, and what else each action names.
 */
public sealed interface ValkeyAction extends Action {

    /** The member that is told. */
    NodeName node();

    /** Who it must be; another answer to {@code CLUSTER MYID} means that the address was reused. */
    NodeId nodeId();

    /**
     * Introduce peers to a node ({@code CLUSTER MEET} for each). The engine takes only addresses, so each peer's identity is
     * checked at its address first (invariant S10).
     *
     * @param node that introduces
     * @param nodeId its id
     * @param peers whom it is to meet
     */
    record Meet(NodeName node, NodeId nodeId, List<Peer> peers) implements ValkeyAction {
        /** Refuses an empty list. */
        public Meet {
            peers = List.copyOf(peers);
            Check.that(!peers.isEmpty(), "a meeting of nobody");
        }

        @Override
        public String key() {
            return "meet from " + node;
        }
    }

    /** Someone to be met: a member, its id and the address of its own pod. */
    record Peer(NodeName name, NodeId nodeId, String ip) {
        /** Refuses a blank address. */
        public Peer {
            Check.notBlank("ip", ip);
        }
    }

    /**
     * Claim slots on a node ({@code CLUSTER ADDSLOTSRANGE}), after giving it a config epoch of its own (invariant S11):
     * {@code SET-CONFIG-EPOCH} while it knows nobody else, {@code BUMPEPOCH} after. Guard: it is a primary, and none of the
     * slots has an owner in its view.
     *
     * @param epoch distinct for every shard, 1 or more
     */
    record ClaimSlots(NodeName node, NodeId nodeId, SlotSet slots, ConfigEpoch epoch) implements ValkeyAction {
        /** Refuses an empty claim and epoch 0. */
        public ClaimSlots {
            Check.that(!slots.isEmpty(), "a claim of no slot");
            Check.atLeast("config epoch", 1, epoch.value());
        }

        @Override
        public String key() {
            return "claim slots on " + node;
        }
    }

    /**
     * Make a node follow a primary ({@code CLUSTER REPLICATE}). Guard: the node owns no slot in its own view (invariant S3).
     *
     * @param primary whom to follow
     */
    record Replicate(NodeName node, NodeId nodeId, NodeId primary) implements ValkeyAction {
        /** Refuses a node that would follow itself. */
        public Replicate {
            Check.that(!nodeId.equals(primary), "node " + nodeId + " can't follow itself");
        }

        @Override
        public String key() {
            return "replicate " + node;
        }
    }

    /**
     * Remove a dead member from a node's table ({@code CLUSTER FORGET}). Guard: in this node's view the member owns no slot,
     * is in no handshake, and is not the primary that it follows (invariants S6, S7, S9).
     *
     * @param forgotten who is removed
     * @param was the member's name, if it is known
     */
    record Forget(NodeName node, NodeId nodeId, NodeId forgotten, Optional<NodeName> was) implements ValkeyAction {
        /** Refuses a node that would forget itself. */
        public Forget {
            Check.that(!nodeId.equals(forgotten), "node " + nodeId + " can't forget itself");
        }

        @Override
        public String key() {
            return "forget " + forgotten + " on " + node;
        }
    }
}
