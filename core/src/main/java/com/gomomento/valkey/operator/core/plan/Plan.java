package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.util.List;

/**
 * The next step for one cluster.
 *
 * @param actions independent of each other
 * @param status what to tell users
 * @param requeueAfter when to look again if nothing wakes the loop before
 * @param reasons all that is wrong, worst first
 * @param events for the journal
 * @param ledger what to remember
 */
public record Plan(
        List<Action> actions,
        ClusterStatus status,
        Duration requeueAfter,
        List<Reason> reasons,
        List<Journal.Entry> events,
        Ledger ledger) {

    /** Copies its lists. */
    public Plan {
        actions = List.copyOf(actions);
        reasons = List.copyOf(reasons);
        events = List.copyOf(events);
    }
}
