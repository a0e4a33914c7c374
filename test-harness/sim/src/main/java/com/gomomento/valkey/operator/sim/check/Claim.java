package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;

/** S1: slots are claimed only if no process of the cluster, whose pod is there, has them already. */
public final class Claim extends Invariant {

    /** Looks at these models. */
    public Claim(Truth truth) {
        super("S1 Claim", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (!(action instanceof ValkeyAction.ClaimSlots claim)) {
            return;
        }
        truth().roster().find(server.id()).ifPresent(claimant -> {
            for (Roster.Instance other : truth().roster().existing(claimant.clusterUid())) {
                boolean there = truth().podStays(other);
                check(
                        !there
                                || other.equals(claimant)
                                || !Truth.ownSlots(other.server()).intersects(claim.slots()),
                        claimant + " claims slots that " + other + " has");
            }
        });
    }
}
