package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Set;
import java.util.TreeSet;

/**
 * S11: who claims slots has a config epoch, and no two that claim before they met anybody have the same. Once they know each
 * other, the engine finds free ones by itself.
 */
public final class DistinctEpochs extends Invariant {

    private final Set<NodeId> claimedAlone = new TreeSet<>();

    /** Looks at these models. */
    public DistinctEpochs(Truth truth) {
        super("S11 Epoch", truth);
    }

    @Override
    public void afterCommand(ValkeyAction action, Server server) {
        if (!(action instanceof ValkeyAction.ClaimSlots)) {
            return;
        }
        check(server.configEpoch() > 0, action.node() + " claims slots with config epoch 0");
        boolean alone = server.report().view().size() == 1;
        if (alone) {
            claimedAlone.add(server.id());
        }
        truth().roster().find(server.id()).filter(_ -> alone).ifPresent(claimant -> {
            for (Roster.Instance other : truth().roster().existing(claimant.clusterUid())) {
                boolean owner = !other.equals(claimant)
                        && truth().podStays(other)
                        && claimedAlone.contains(other.server().id())
                        && !Truth.ownSlots(other.server()).isEmpty();
                check(
                        !owner || other.server().configEpoch() != server.configEpoch(),
                        claimant + " and " + other + " claim slots with one config epoch");
            }
        });
    }
}
