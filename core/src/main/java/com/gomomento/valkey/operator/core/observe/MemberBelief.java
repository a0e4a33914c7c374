package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.List;
import java.util.Optional;

/**
 * What one node believes of one member: a line of its {@code CLUSTER NODES}.
 *
 * @param id the member
 * @param ip address at which it is believed; empty when unknown
 * @param hostname announced name; empty if none
 * @param role primary or replica
 * @param primary whom it follows, if it is a replica
 * @param health how alive it is believed
 * @param handshake whether the two have not completed their introduction
 * @param linkUp whether the bus link to it stands (always true of the node itself)
 * @param epoch its config epoch
 * @param slots served by it
 * @param openSlots slots in migration or import; only on the own line
 */
public record MemberBelief(
        NodeId id,
        Optional<String> ip,
        Optional<String> hostname,
        Role role,
        Optional<NodeId> primary,
        Health health,
        boolean handshake,
        boolean linkUp,
        ConfigEpoch epoch,
        SlotSet slots,
        List<OpenSlot> openSlots) {

    /** Refuses a primary that follows somebody. */
    public MemberBelief {
        if (role == Role.PRIMARY && primary.isPresent()) {
            throw new IllegalArgumentException("primary " + id + " follows " + primary);
        }
        openSlots = List.copyOf(openSlots);
    }

    /** A peer's health in one node's eyes. */
    public enum Health {
        /** No doubt. */
        OK,
        /** {@code fail?}: this node can't reach it. */
        SUSPECTED,
        /** {@code fail}: a majority of primaries agreed. */
        FAILED
    }
}
