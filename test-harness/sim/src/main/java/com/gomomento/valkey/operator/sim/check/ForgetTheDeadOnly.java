package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Optional;

/**
 * S9: no node is forgotten whose process lives in a pod that is to stay, be it known by its id or, while it is being
 * introduced, by its address alone.
 */
public final class ForgetTheDeadOnly extends Invariant {

    /** Looks at these models. */
    public ForgetTheDeadOnly(Truth truth) {
        super("S9 Forget the dead only", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (!(action instanceof ValkeyAction.Forget forget)) {
            return;
        }
        truth().roster()
                .find(forget.forgotten())
                .or(() -> introduced(server, forget))
                .ifPresent(forgotten -> check(
                        !forgotten.exists() || !truth().podStays(forgotten),
                        forgotten + " is forgotten, and it is alive"));
    }

    /** Who is behind a handshake, whose id is made up. */
    private Optional<Roster.Instance> introduced(Server teller, ValkeyAction.Forget forget) {
        return teller.report()
                .view()
                .of(forget.forgotten())
                .filter(MemberBelief::handshake)
                .flatMap(MemberBelief::ip)
                .flatMap(ip -> truth().network().at(ip))
                .flatMap(server -> truth().roster().find(server.id()));
    }
}
