package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;

/** S10: no process ever gets to know one of another cluster. */
public final class NoMerge extends Invariant {

    private static final long EVERY_MILLIS = 2_000;

    private long nextMillis;

    /** Looks at these models. */
    public NoMerge(Truth truth) {
        super("S10 No merge", truth);
    }

    @Override
    public void moment() {
        if (truth().timeline().nowMillis() < nextMillis) {
            return;
        }
        nextMillis = truth().timeline().nowMillis() + EVERY_MILLIS;
        for (Stored cluster : truth().clusters()) {
            for (Roster.Instance process : truth().roster().existing(cluster.uid())) {
                for (MemberBelief belief : process.server().report().view().all()) {
                    truth().roster()
                            .find(belief.id())
                            .ifPresent(other -> check(
                                    belief.handshake() || other.clusterUid().equals(process.clusterUid()),
                                    process + " knows " + other + " of another cluster"));
                }
            }
        }
    }
}
