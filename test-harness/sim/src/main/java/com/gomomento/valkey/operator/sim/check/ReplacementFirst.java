package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;

/** S4 and S6: the pod of a process that owns slots is deleted only if a later owner of all of them is there. */
public final class ReplacementFirst extends Invariant {

    /** Looks at these models. */
    public ReplacementFirst(Truth truth) {
        super("S4 Replacement first", truth);
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        deleted(verb, before).ifPresent(process -> {
            SlotSet left = Truth.ownSlots(process.server());
            for (Roster.Instance other : truth().roster().existing(process.clusterUid())) {
                boolean later = other.server().answers()
                        && other.server().configEpoch() > process.server().configEpoch();
                if (later) {
                    left = left.minus(Truth.ownSlots(other.server()));
                }
            }
            check(left.isEmpty(), "an operator deletes pod " + before.key().name() + ", which owns slots " + left);
        });
    }
}
