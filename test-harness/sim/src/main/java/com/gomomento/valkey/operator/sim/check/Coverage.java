package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;

/** S2: no command of an operator takes slots away from the clients of a cluster. */
public final class Coverage extends Invariant {

    private SlotSet before = SlotSet.EMPTY;

    /** Looks at these models. */
    public Coverage(Truth truth) {
        super("S2 Coverage", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        before = truth().roster()
                .find(server.id())
                .map(process -> truth().served(process.clusterUid()))
                .orElse(SlotSet.EMPTY);
    }

    @Override
    public void afterCommand(ValkeyAction action, Server server) {
        truth().roster().find(server.id()).ifPresent(process -> {
            // A move takes time, in which faults may hit whom it is not about.
            if (action instanceof ValkeyAction.MoveSlots move) {
                before = before.and(move.slots());
            }
            SlotSet now = truth().served(process.clusterUid());
            check(now.containsAll(before), action.key() + " took slots " + before.minus(now) + " out of service");
        });
    }
}
