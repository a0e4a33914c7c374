package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Optional;

/** S7: a node is forgotten only when nobody whose pod is to stay still follows it: the vote for its successor comes first. */
public final class ForgetAfterFailover extends Invariant {

    /** Looks at these models. */
    public ForgetAfterFailover(Truth truth) {
        super("S7 Forget after failover", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (!(action instanceof ValkeyAction.Forget forget)) {
            return;
        }
        NodeId id = forget.forgotten();
        truth().roster().find(id).ifPresent(forgotten -> {
            for (Roster.Instance other : truth().roster().existing(forgotten.clusterUid())) {
                boolean follows = other.server().report().self().primary().equals(Optional.of(id));
                check(
                        !follows || !truth().podStays(other) || !reached(server, other),
                        forgotten + " is forgotten while " + other + " follows it");
            }
        });
    }

    /** Whether the one that forgets sees no fault in the other; what is behind a cut link can't be asked whom it follows. */
    private static boolean reached(Server teller, Roster.Instance other) {
        return other.server().answers()
                && teller.report()
                        .view()
                        .of(other.server().id())
                        .filter(line -> line.linkUp() && line.health() == MemberBelief.Health.OK)
                        .isPresent();
    }
}
