package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeId;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What one node believes of all members, itself included: its {@code CLUSTER NODES}. Nodes that believe the same should be
 * given the same instance: a cluster at peace then costs one view to compare, not one a node.
 *
 * @param byId lines by the id that they speak of
 */
public record Beliefs(SortedMap<NodeId, MemberBelief> byId) {

    /** Copies the lines. */
    public Beliefs {
        byId = Check.sortedCopy(byId);
    }

    /** The line about a node, if there is one. */
    public Optional<MemberBelief> of(NodeId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Whether there is a line about a node, be it a handshake. */
    public boolean lists(NodeId id) {
        return byId.containsKey(id);
    }

    /** Whether a node was introduced for good. */
    public boolean knows(NodeId id) {
        MemberBelief line = byId.get(id);
        return line != null && !line.handshake();
    }

    /** All lines, by id. */
    public Collection<MemberBelief> all() {
        return byId.values();
    }

    /** Nodes that are listed, 1 or more. */
    public int size() {
        return byId.size();
    }
}
