package com.gomomento.valkey.operator.core.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps a status from being written anew for each word of its message: a count that grows is told twice a second, which is as
 * fast as people read. Whatever machines act on (state, conditions, nodes) is written at once. Two operators by accident, each
 * of which remembers another beginning, would else write over each other in a hot loop.
 *
 * @param status to be written; what stands there already, if there is nothing to write yet
 * @param at when words alone were changed last
 */
record Wording(ClusterStatus status, Instant at) {

    private static final Duration PACE = Duration.ofMillis(500);

    /** Decides whether {@code wanted} is written now; if not, {@code draft} wakes up when it is to be. */
    static Wording of(
            ClusterStatus wanted, Optional<ClusterStatus> published, Draft draft, Ledger ledger, Instant now) {
        boolean wordsAlone = published
                .filter(there -> !there.equals(wanted) && there.withMessage("").equals(wanted.withMessage("")))
                .isPresent();
        if (!wordsAlone) {
            return new Wording(wanted, ledger.wordedAt());
        }
        Instant due = ledger.wordedAt().plus(PACE);
        // After a clock was set back, the last time lies in the future.
        if (now.isBefore(due) && !now.isBefore(ledger.wordedAt())) {
            draft.wakeBy(due);
            return new Wording(published.orElseThrow(), ledger.wordedAt());
        }
        return new Wording(wanted, now);
    }
}
