package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** A plan in the making: rules add to it. Not shared between threads. */
final class Draft {

    private final ClusterKey cluster;
    private final Ledger ledger;
    private final Instant now;
    private final List<Action> actions = new ArrayList<>();
    private final List<Reason> reasons = new ArrayList<>();
    private final List<Journal.Entry> events = new ArrayList<>();
    private final SortedMap<String, String> said;
    private Instant wakeAt;

    Draft(ClusterKey cluster, Ledger ledger, Instant now, Duration atMost) {
        this.cluster = cluster;
        this.ledger = ledger;
        this.now = now;
        this.said = new TreeMap<>(ledger.said());
        this.wakeAt = now.plus(atMost);
    }

    /** Adds an action, unless it was refused lately: then the reason is told and the retry is waited for. */
    void act(Action action) {
        Ledger.Refusal refusal = ledger.refusals().get(action.key());
        if (refusal != null) {
            because(Reason.Kind.REFUSED, "could not " + action.key() + ": " + refusal.reason());
            if (refusal.retryAt().isAfter(now)) {
                wakeBy(refusal.retryAt());
                return;
            }
        }
        actions.add(action);
    }

    void because(Reason.Kind kind, String text) {
        Reason reason = new Reason(kind, text);
        if (!reasons.contains(reason)) {
            reasons.add(reason);
        }
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

    boolean deletesRecord(NodeName name) {
        return actions.stream()
                .anyMatch(action -> action instanceof KubernetesAction.DeleteRecord delete
                        && delete.name().equals(name));
    }

    List<Action> actions() {
        return actions;
    }

    List<Reason> reasons() {
        return reasons.stream().sorted().toList();
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
