package com.gomomento.valkey.operator.core.reconcile;

import com.gomomento.valkey.operator.core.plan.Ledger;
import com.gomomento.valkey.operator.core.port.ActionResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** When a refused action may be tried again. A refusal costs the other side work, so it is not repeated in a hot loop. */
final class Refusals {

    /** An API server that refuses (quota, admission, a right) will do so for a while. */
    private static final Duration RETRY = Duration.ofSeconds(10);

    /** After silence, a new observation tells soon whether it was done. */
    private static final Duration RETRY_UNKNOWN = Duration.ofSeconds(2);

    private Refusals() {}

    static SortedMap<String, Ledger.Refusal> next(
            Map<String, Ledger.Refusal> before, Map<String, ActionResult> results, Instant now) {
        SortedMap<String, Ledger.Refusal> next = new TreeMap<>(before);
        // One that was due and not asked for again has lost its cause.
        next.values().removeIf(refusal -> !refusal.retryAt().isAfter(now));
        results.forEach((key, result) -> {
            switch (result) {
                case ActionResult.Applied ignored -> next.remove(key);
                case ActionResult.Told ignored -> next.remove(key);
                case ActionResult.AlreadyDone ignored -> next.remove(key);
                case ActionResult.Rejected(String reason) -> next.put(key, new Ledger.Refusal(reason, now.plus(RETRY)));
                case ActionResult.Unknown(String reason) ->
                    next.put(key, new Ledger.Refusal(reason, now.plus(RETRY_UNKNOWN)));
            }
        });
        return next;
    }
}
