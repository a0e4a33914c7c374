package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A plan in the making: rules add to it. Not shared between threads. */
final class Draft {

    private final ClusterKey cluster;
    private final Ledger ledger;
    private final Instant now;
    private final List<Action> actions = new ArrayList<>();
    private final SortedSet<Reason> reasons = new TreeSet<>();
    private final List<Journal.Entry> events = new ArrayList<>();
    private final SortedMap<String, String> said;
    private final Set<NodeName> deletedRecords = new HashSet<>();
    private final List<String> losses = new ArrayList<>();
    private OptionalInt slotsToMove = OptionalInt.empty();
    private boolean disrupts;
    private Instant wakeAt;

    Draft(ClusterKey cluster, Ledger ledger, Instant now, Duration atMost) {
        this.cluster = cluster;
        this.ledger = ledger;
        this.now = now;
        this.said = new TreeMap<>(ledger.said());
        this.wakeAt = now.plus(atMost);
    }

    /**
     * Adds an action, unless it was refused lately: then the reason is told and the retry is waited for. One that was given
     * and takes a while to show is waited for, too.
     */
    void act(Action action) {
        Instant shows = ledger.pending().get(action.key());
        if (shows != null && shows.isAfter(now)) {
            wakeBy(shows);
            return;
        }
        Ledger.Refusal refusal = ledger.refusals().get(action.key());
        if (refusal != null) {
            because(Reason.Kind.REFUSED, "could not " + action.key() + ": " + refusal.reason());
            if (refusal.retryAt().isAfter(now)) {
                wakeBy(refusal.retryAt());
                return;
            }
        }
        if (action instanceof KubernetesAction.DeleteRecord delete) {
            deletedRecords.add(delete.name());
        }
        actions.add(action);
    }

    /** As {@link #act}, for what clients notice: of all that is asked for, only the first is done (invariant S12). */
    void disrupt(Action action) {
        if (!disrupts) {
            disrupts = true;
            act(action);
        }
    }

    /** Whether this node is to forget an owner of slots already: what that changes is looked at before the next. */
    boolean forgetsOwnerOn(NodeName teller) {
        return actions.stream()
                .anyMatch(action -> action instanceof ValkeyAction.Forget forget
                        && forget.withSlots()
                        && forget.node().equals(teller));
    }

    /** Notes that data is gone for good; {@code sentence} goes to the status' condition. */
    void lost(String sentence) {
        losses.add(sentence);
    }

    List<String> losses() {
        return losses;
    }

    /** Notes how many slots are still to move, 1 or more. */
    void slotsToMove(int slots) {
        slotsToMove = OptionalInt.of(slots);
    }

    OptionalInt slotsToMove() {
        return slotsToMove;
    }

    void because(Reason.Kind kind, String text) {
        reasons.add(new Reason(kind, text));
    }

    /** Looks again at {@code instant} at the latest. */
    void wakeBy(Instant instant) {
        if (instant.isBefore(wakeAt)) {
            wakeAt = instant;
        }
    }

    /** Looks again within {@code delay}. */
    void wakeWithin(Duration delay) {
        wakeBy(now.plus(delay));
    }

    /** Tells the journal; {@code fields} are pairs of name and value. */
    void tell(Journal.Level level, String target, String message, Object... fields) {
        SequencedMap<String, Object> named = new LinkedHashMap<>();
        named.put("cluster_name", cluster.name());
        for (int i = 0; i < fields.length; i += 2) {
            named.put((String) fields[i], fields[i + 1]);
        }
        events.add(new Journal.Entry(level, target, message, named));
    }

    /** As {@link #tell}, but once until {@code what} changes or the next heartbeat. */
    void tellOnce(String subject, String what, Journal.Level level, String target, String message, Object... fields) {
        String key = message + " " + subject;
        if (!what.equals(said.put(key, what))) {
            tell(level, target, message, fields);
        }
    }

    /** Forgets what was said, so that what is still true is said again. */
    void forgetWhatWasSaid() {
        said.clear();
    }

    /** Whether the ValkeyNode of this name is about to be deleted. */
    boolean deletesRecord(NodeName name) {
        return deletedRecords.contains(name);
    }

    List<Action> actions() {
        return actions;
    }

    List<Reason> reasons() {
        return List.copyOf(reasons);
    }

    List<Journal.Entry> events() {
        return events;
    }

    SortedMap<String, String> said() {
        return said;
    }

    Duration requeueAfter() {
        Duration delay = Duration.between(now, wakeAt);
        return delay.isNegative() ? Duration.ZERO : delay;
    }
}
