package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.sim.valkey.Reply;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * One call's worth of moving slots key by key, some slots at a time, in the steps of the real adapter: open both ends, send
 * the keys, and give away a slot in which the source has no key left; target first. Time passes between the steps, and the
 * call may be cut short between any two of them.
 */
final class SlotMover {

    private static final int SLOTS_AT_A_TIME = 128;
    private static final int KEYS_AT_A_TIME = 16;
    private static final int BATCHES_A_CALL = 12;

    private final Server source;
    private final Server target;
    private final BooleanSupplier goesOn;
    private boolean begun;

    /**
     * A move between two servers.
     *
     * @param goesOn lets the time of one exchange pass, and tells whether the call still goes on
     */
    SlotMover(Server source, Server target, BooleanSupplier goesOn) {
        this.source = source;
        this.target = target;
        this.goesOn = goesOn;
    }

    ActionResult run(MoveSlots action) {
        if (!target.answers() || !target.id().equals(action.target().nodeId())) {
            return new ActionResult.Rejected(action.target().name() + " is not to be found");
        }
        if (target.report().role() != Role.PRIMARY) {
            return new ActionResult.Rejected(action.target().name() + " is a replica and can't own slots");
        }
        SlotSet own = source.report().self().slots();
        SlotSet given = target.report().self().slots();
        if (!action.slots().minus(own).minus(given).isEmpty()) {
            return new ActionResult.Rejected("slots are owned by neither end");
        }
        SlotSet rest = action.slots().and(own.plus(open(source, target.id(), true)));
        for (int batch = 0; batch < BATCHES_A_CALL && !rest.isEmpty(); batch++) {
            SlotSet some = rest.first(SLOTS_AT_A_TIME);
            Optional<String> trouble = move(some, given);
            if (trouble.isPresent()) {
                return begun ? new ActionResult.Unknown(trouble.get()) : new ActionResult.Rejected(trouble.get());
            }
            rest = rest.minus(some);
        }
        return begun ? new ActionResult.Applied() : new ActionResult.AlreadyDone();
    }

    private static SlotSet open(Server server, NodeId peer, boolean outgoing) {
        return SlotSet.union(server.report().self().openSlots().stream()
                .filter(slot -> slot.outgoing() == outgoing && slot.peer().equals(peer))
                .map(slot -> SlotSet.of(slot.slot()))
                .toList());
    }

    /** Moves some slots; tells what kept it from going on, if anything did. */
    private Optional<String> move(SlotSet slots, SlotSet given) {
        SlotSet moving = slots.minus(given);
        SlotSet importing = moving.minus(open(target, source.id(), false));
        SlotSet migrating = moving.minus(open(source, target.id(), true));
        begun = true;
        return each(importing, slot -> target.setSlotImporting(slot, source.id()))
                .or(() -> each(migrating, slot -> source.setSlotMigrating(slot, target.id())))
                .or(() -> each(slots, this::drain))
                .or(() -> give(slots, moving));
    }

    private Reply drain(int slot) {
        Reply reply = source.moveKeys(slot, target.ip(), KEYS_AT_A_TIME);
        while (reply.done() && reply.version() > 0) {
            reply = source.moveKeys(slot, target.ip(), KEYS_AT_A_TIME);
        }
        return reply;
    }

    private Optional<String> give(SlotSet slots, SlotSet moving) {
        SlotSet empty = slots.minus(withKeys(slots));
        return each(empty.and(moving), slot -> target.setSlotNode(slot, target.id()))
                .or(() -> each(empty, slot -> source.setSlotNode(slot, target.id())));
    }

    private SlotSet withKeys(SlotSet slots) {
        return SlotSet.union(source.keys().keySet().stream()
                .map(name -> SlotSet.of((int) (name >>> 32)))
                .filter(slots::containsAll)
                .toList());
    }

    /** One exchange: a command for each slot, in one round trip. */
    private Optional<String> each(SlotSet slots, IntFunction<Reply> command) {
        if (slots.isEmpty()) {
            return Optional.empty();
        }
        if (!goesOn.getAsBoolean()) {
            return Optional.of("no answer within 2 s");
        }
        for (SlotRange range : slots.ranges()) {
            for (int slot = range.first(); slot <= range.last(); slot++) {
                Reply reply = command.apply(slot);
                if (!reply.done()) {
                    return Optional.of(reply.kind() == Reply.Kind.SILENCE ? "no answer within 2 s" : reply.text());
                }
            }
        }
        return Optional.empty();
    }
}
