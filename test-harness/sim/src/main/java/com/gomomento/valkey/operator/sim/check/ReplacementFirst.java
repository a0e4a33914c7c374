package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;

/**
 * S4 and S6: the pod of a process that owns slots is deleted only if a later owner of all of them is there, or was a moment
 * ago: an operator decides from what it has seen, and a successor may stop in the moment in which its deed is done. What the
 * earlier owner has is older than what the successor had, which clients were served from, so nobody is to return to it.
 */
public final class ReplacementFirst extends Invariant {

    /** What an operator has seen may be as old as its observation takes and its deed lasts. */
    private static final long UNSEEN_MILLIS = 3_000;

    /** Looks at these models. */
    public ReplacementFirst(Truth truth) {
        super("S4 Replacement first", truth);
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        deleted(verb, before).ifPresent(process -> {
            SlotSet left = Truth.ownSlots(process.server());
            for (Roster.Instance other : truth().roster().all()) {
                boolean later = other.clusterUid().equals(process.clusterUid())
                        && other.server().answeredWithin(UNSEEN_MILLIS)
                        && other.server().configEpoch() > process.server().configEpoch();
                if (later) {
                    left = left.minus(Truth.ownSlots(other.server()));
                }
            }
            check(left.isEmpty(), "an operator deletes pod " + before.key().name() + ", which owns slots " + left);
        });
    }
}
