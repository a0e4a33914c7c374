package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;

/**
 * S6: a node that owns slots in the eyes of the one that is to forget it is forgotten only where that is what is asked for,
 * because every copy of their data is gone.
 */
public final class Drain extends Invariant {

    /** Looks at these models. */
    public Drain(Truth truth) {
        super("S6 Drain", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (action instanceof ValkeyAction.Forget forget && !forget.withSlots()) {
            SlotSet slots = server.report()
                    .view()
                    .of(forget.forgotten())
                    .map(MemberBelief::slots)
                    .orElse(SlotSet.EMPTY);
            check(
                    slots.isEmpty(),
                    forget.node() + " is to forget " + forget.forgotten() + ", which it holds to own slots " + slots);
        }
    }
}
