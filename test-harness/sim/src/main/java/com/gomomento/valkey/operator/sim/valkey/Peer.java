package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one server believes of one node (itself included), and how it gets on with it: an entry of its table. Times are
 * milliseconds of the world's clock; {@link #NEVER} where a thing has not happened.
 */
final class Peer {

    /** Stands where no node is meant, as on the wire. */
    static final NodeId NOBODY = new NodeId("0".repeat(40));

    static final long NEVER = Long.MIN_VALUE / 2;

    /** A made-up id during a handshake. */
    NodeId id;
    /** Empty when it is not known. */
    String ip;

    String hostname = "";
    Role role = Role.PRIMARY;
    NodeId primary = NOBODY;
    long shard;
    long configEpoch;
    SlotSet slots = SlotSet.EMPTY;
    long offset;

    boolean handshake;
    /** The next message on the link is a MEET, so that the other one takes us into its table. */
    boolean meet;
    /** {@code fail?}. */
    boolean suspected;
    /** {@code fail}. */
    boolean failed;
    /** It says of its own primary that it failed. */
    boolean primaryFailed;

    final long bornAt;
    long failedAt = NEVER;
    boolean linkUp;
    long linkedAt = NEVER;
    /** When the unanswered ping was sent; {@link #NEVER} if there is none. */
    long pingedAt = NEVER;

    long pongAt = NEVER;
    /** When it was last heard of in any way. */
    long heardAt = NEVER;

    long metAt = NEVER;
    /** Since when it seems not to know us; {@link #NEVER} if it does. */
    long strangerSince = NEVER;

    /** Primaries that reported it as failing, and when they last did. */
    final Map<NodeId, Long> reports = new LinkedHashMap<>();

    /** State of both tables when the two last told each other nothing new. */
    long calmHere = -1;

    long calmThere = -1;

    Peer(NodeId id, String ip, long bornAt) {
        this.id = id;
        this.ip = ip;
        this.bornAt = bornAt;
    }

    boolean isPrimary() {
        return role == Role.PRIMARY;
    }

    boolean isReplica() {
        return role == Role.REPLICA;
    }

    /** Whether its vote counts. */
    boolean votes() {
        return role == Role.PRIMARY && !slots.isEmpty();
    }

    boolean hasAddress() {
        return !ip.isEmpty();
    }

    boolean troubled() {
        return suspected || failed;
    }

    boolean follows(NodeId other) {
        return isReplica() && primary.equals(other);
    }

    @Override
    public String toString() {
        return id + " at " + ip;
    }
}
