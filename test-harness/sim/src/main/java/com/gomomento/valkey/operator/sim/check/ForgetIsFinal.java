package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;

/** S8: a node is forgotten only when its pod's UID is gone or its process has ended: one that is being deleted may come back. */
public final class ForgetIsFinal extends Invariant {

    /** Looks at these models. */
    public ForgetIsFinal(Truth truth) {
        super("S8 Forget is final", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (action instanceof ValkeyAction.Forget forget) {
            truth().roster()
                    .find(forget.forgotten())
                    .ifPresent(forgotten -> check(
                            !forgotten.exists() || !truth().podExists(forgotten) || truth().podStays(forgotten),
                            forgotten + " is forgotten while its pod is still being deleted"));
        }
    }
}
