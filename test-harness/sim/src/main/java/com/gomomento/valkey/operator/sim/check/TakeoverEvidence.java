package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Optional;

/**
 * S5: a planned failover is asked only of a replica in sync, or comes too late: a primary that has just been succeeded gives
 * nothing to anybody, and the engine gives up. One without the primary's consent only where the primary has
 * ended, stands still or has lost its pod, and no other replica of it has more data.
 */
public final class TakeoverEvidence extends Invariant {

    /** Looks at these models. */
    public TakeoverEvidence(Truth truth) {
        super("S5 Failover", truth);
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        // One that has become primary since it was looked at will refuse.
        if (!(action instanceof ValkeyAction.Failover failover)
                || server.report().role() == Role.PRIMARY) {
            return;
        }
        Optional<Roster.Instance> primary = truth().roster().find(failover.primary());
        switch (failover.mode()) {
            case GRACEFUL ->
                check(
                        primary.isPresent() && (server.inSyncWith(primary.get().server()) || isReplica(primary.get())),
                        failover.node() + " is to take over from a primary with which it is not in sync");
            case TAKEOVER -> {
                boolean dead =
                        primary.isEmpty() || !primary.get().server().answers() || !truth().podStays(primary.get());
                check(dead, failover.node() + " takes over from a primary that is alive");
                truth().roster().find(server.id()).ifPresent(taker -> checkBest(taker, failover));
            }
        }
    }

    private static boolean isReplica(Roster.Instance process) {
        return process.server().report().role() == Role.REPLICA;
    }

    private void checkBest(Roster.Instance taker, ValkeyAction.Failover failover) {
        for (Roster.Instance other : truth().roster().existing(taker.clusterUid())) {
            boolean sibling = other.server().answers()
                    && truth().podStays(other)
                    && other.server().report().self().primary().equals(Optional.of(failover.primary()));
            check(
                    !sibling || other.server().offset() <= taker.server().offset(),
                    taker + " takes over though " + other + " has more data");
        }
    }
}
