package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;

/**
 * A slot that is being moved key by key, as one end of the move has it.
 *
 * @param slot 0 to 16383
 * @param outgoing whether the node that tells it is the source ({@code MIGRATING}), else the target ({@code IMPORTING})
 * @param peer the other end
 */
public record OpenSlot(int slot, boolean outgoing, NodeId peer) {

    /** Refuses a slot out of range. */
    public OpenSlot {
        Check.that(slot >= 0 && slot < SlotSet.COUNT, "slot is " + slot + ", allowed is 0 to 16383");
    }

    /** As the server prints it: {@code [77->-id]} or {@code [77-<-id]}. */
    @Override
    public String toString() {
        return "[" + slot + (outgoing ? "->-" : "-<-") + peer + "]";
    }
}
