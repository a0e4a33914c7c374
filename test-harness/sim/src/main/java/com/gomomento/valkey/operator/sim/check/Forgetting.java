package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Optional;

/**
 * S7, S8 and S9: a node is forgotten only when its process has ended or its pod is gone, and when nobody whose pod is to
 * stay still follows it.
 */
public final class Forgetting extends Invariant {

    /** Looks at these models. */
    public Forgetting(Truth truth) {
        super("S8 Forget is final", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (!(action instanceof ValkeyAction.Forget forget)) {
            return;
        }
        NodeId id = forget.forgotten();
        Optional<Roster.Instance> found = truth().roster().find(id);
        if (found.isEmpty()) {
            return;
        }
        Roster.Instance forgotten = found.get();
        check(!forgotten.exists() || !truth().podExists(forgotten), forgotten + " is forgotten while its pod is there");
        for (Roster.Instance other : truth().roster().existing(forgotten.clusterUid())) {
            boolean follows = other.server().report().self().primary().equals(Optional.of(id));
            check(
                    !follows || !truth().podStays(other) || !reached(server, other),
                    forgotten + " is forgotten while " + other + " follows it");
        }
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
