package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

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
     * @param withSlots its slots may go with it, since every copy of their data is known to be gone
     */
    record Forget(NodeName node, NodeId nodeId, NodeId forgotten, Optional<NodeName> was, boolean withSlots)
            implements ValkeyAction {
        /** Refuses a node that would forget itself. */
        public Forget {
            Check.that(!nodeId.equals(forgotten), "node " + nodeId + " can't forget itself");
        }

        @Override
        public String key() {
            return "forget " + forgotten + " on " + node;
        }
    }

    /**
     * Make a replica the primary of its shard ({@code CLUSTER FAILOVER}). Guard: it follows {@code primary} and its first
     * link is up; for a take-over, its link is down, or its own view holds that the primary is dead (invariant S5).
     *
     * @param node the replica
     * @param nodeId its id
     * @param primary whom it is to replace
     * @param mode how
     */
    record Failover(NodeName node, NodeId nodeId, NodeId primary, Mode mode) implements ValkeyAction {

        /** How a replica becomes a primary. */
        public enum Mode {
            /** The primary is alive, pauses its clients and hands over every byte. */
            GRACEFUL,
            /** The primary is dead and too few primaries are left to vote ({@code TAKEOVER}). */
            TAKEOVER
        }

        /** Refuses a node that would replace itself. */
        public Failover {
            Check.that(!nodeId.equals(primary), "node " + nodeId + " can't replace itself");
        }

        @Override
        public String key() {
            return key(node);
        }

        /** The key of every failover to this node. */
        static String key(NodeName node) {
            return "failover to " + node;
        }

        /** The engine gives a graceful one up after five seconds; asking again before would start it anew. */
        @Override
        public Duration settles() {
            return mode == Mode.GRACEFUL ? Duration.ofSeconds(5) : Duration.ofSeconds(1);
        }
    }

    /**
     * Move slots with their keys from a node to another shard's primary. Guard: the node owns all of them, knows the target
     * as a healthy primary, and takes part in no other migration (invariant S13).
     *
     * <p>{@link Method#ATOMIC} only starts a job, which the source's report shows from then on. {@link Method#KEY_BY_KEY}
     * moves as much as fits into one command's time and is asked for again until no slot is left; where it stops half way,
     * open slots in the report say so.
     *
     * @param node that owns the slots
     * @param nodeId its id
     * @param target who is to own them
     * @param slots which
     * @param method how
     */
    record MoveSlots(NodeName node, NodeId nodeId, Peer target, SlotSet slots, Method method) implements ValkeyAction {

        /** How slots move. */
        public enum Method {
            /** {@code CLUSTER MIGRATESLOTS}, server 9.0 and later. */
            ATOMIC,
            /** {@code CLUSTER SETSLOT} and {@code MIGRATE}, which every server can. */
            KEY_BY_KEY
        }

        /** Refuses an empty move and one to the node itself. */
        public MoveSlots {
            Check.that(!slots.isEmpty(), "a move of no slot");
            Check.that(!nodeId.equals(target.nodeId()), "node " + nodeId + " can't receive its own slots");
        }

        @Override
        public String key() {
            return "move slots from " + node + " to " + target.name();
        }
    }

    /**
     * Set directives at run time ({@code CONFIG SET}): all of them or none. No report shows what came of it.
     *
     * @param node whose
     * @param nodeId its id
     * @param changes values by name, without quotes
     */
    record SetDirectives(NodeName node, NodeId nodeId, SortedMap<String, String> changes) implements ValkeyAction {

        /** Refuses to set nothing. */
        public SetDirectives {
            changes = Check.sortedCopy(changes);
            Check.that(!changes.isEmpty(), "no directive to set");
        }

        @Override
        public String key() {
            return "set directives " + changes + " on " + node;
        }
    }

    /**
     * Close open slots whose other end is dead ({@code CLUSTER SETSLOT STABLE}). Guard: they are open towards {@code peer} in
     * the node's own view, and the view holds that the peer is dead or does not list it.
     *
     * @param node on which they are open
     * @param nodeId its id
     * @param slots which
     * @param peer the other end
     */
    record CloseSlots(NodeName node, NodeId nodeId, SlotSet slots, NodeId peer) implements ValkeyAction {

        /** Refuses to close nothing. */
        public CloseSlots {
            Check.that(!slots.isEmpty(), "no slot to close");
        }

        /** Whether this open slot is meant: one that has come to be open towards another is not ours to close. */
        public boolean means(OpenSlot open) {
            return open.peer().equals(peer) && slots.contains(open.slot());
        }

        @Override
        public String key() {
            return "close slots on " + node;
        }
    }
}
