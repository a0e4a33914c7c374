package com.gomomento.valkey.operator.core.reconcile;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.declare.SpecResolver;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.Action;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.Ledger;
import com.gomomento.valkey.operator.core.plan.Ledger.DirectivesAnswer;
import com.gomomento.valkey.operator.core.plan.Plan;
import com.gomomento.valkey.operator.core.plan.Planner;
import com.gomomento.valkey.operator.core.plan.Planning;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.core.port.KubernetesPort;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One step of one cluster: observe, plan, execute, tell. Nothing waits in here; what is not finished is looked at again.
 *
 * <p>Safe to run twice at the same time, also by two processes: every action is idempotent and guarded. A step that is cut
 * off anywhere leaves nothing that the next one can't read from Kubernetes and Valkey.
 */
public final class ReconcileLoop {

    /** After a change, look at once whether it took; the small pause lets watches bring what others did meanwhile. */
    private static final Duration AFTER_CHANGE = Duration.ofMillis(10);

    /** After a no-op on a view that lags, give it time to catch up. */
    private static final Duration AFTER_NO_OP = Duration.ofMillis(250);

    private static final Duration UNDECODABLE_POLL = Duration.ofSeconds(30);

    private final KubernetesPort kubernetes;
    private final ValkeyPort valkey;
    private final Journal journal;
    private final ZoneSpread defaultZoneSpread;
    private final Planning planning;

    /**
     * Wires the loop with the planner of this operator.
     *
     * @param defaultZoneSpread for clusters that don't say
     */
    public ReconcileLoop(KubernetesPort kubernetes, ValkeyPort valkey, Journal journal, ZoneSpread defaultZoneSpread) {
        this(kubernetes, valkey, journal, defaultZoneSpread, Planner::plan);
    }

    /**
     * Wires the loop with a planner of the embedder's own.
     *
     * @param defaultZoneSpread for clusters that don't say
     * @param planning decides each step
     */
    public ReconcileLoop(
            KubernetesPort kubernetes,
            ValkeyPort valkey,
            Journal journal,
            ZoneSpread defaultZoneSpread,
            Planning planning) {
        this.kubernetes = kubernetes;
        this.valkey = valkey;
        this.journal = journal;
        this.defaultZoneSpread = defaultZoneSpread;
        this.planning = planning;
    }

    /**
     * What a step ended with.
     *
     * @param ledger for the next step
     * @param requeueAfter when to step again at the latest
     * @param gone the cluster no longer exists; no further step is needed
     */
    public record Outcome(Ledger ledger, Duration requeueAfter, boolean gone) {}

    /**
     * Takes one step.
     *
     * @param key which cluster
     * @param ledger what the last step left, or {@link Ledger#EMPTY}
     * @param now the time
     */
    public Outcome step(ClusterKey key, Ledger ledger, Instant now) {
        return switch (kubernetes.observe(key)) {
            case KubernetesPort.Gone ignored -> new Outcome(Ledger.EMPTY, Duration.ZERO, true);
            case KubernetesPort.Undecodable(String reason) -> {
                journal.record(entry(
                        Journal.Level.WARN,
                        "operator.controller",
                        "reconcile error, requeuing",
                        key,
                        "error",
                        "ValkeyCluster cannot be decoded: " + reason));
                yield new Outcome(ledger, UNDECODABLE_POLL, false);
            }
            case KubernetesPort.Present present
            when present.declaration().deleting() ->
                // Everything is owned by the cluster and goes with it: garbage collection needs neither us nor Valkey.
                new Outcome(ledger, UNDECODABLE_POLL, false);
            case KubernetesPort.Present present -> step(present, ledger, now);
        };
    }

    private Outcome step(KubernetesPort.Present present, Ledger ledger, Instant now) {
        ClusterDeclaration declaration = present.declaration();
        Resolution resolution = SpecResolver.resolve(declaration, present.catalog(), defaultZoneSpread);
        SortedMap<NodeName, ValkeyPort.Target> targets = targets(present.view(), wish(resolution, ledger));
        Observation observation = new Observation(present.view(), valkey.observe(List.copyOf(targets.values())));
        Plan plan = planning.plan(declaration, resolution, observation, present.published(), ledger, now);
        plan.events().forEach(journal::record);
        Results results = execute(declaration, plan, targets);
        ActionResult published = kubernetes.publish(declaration, present.published(), plan.status());
        if (published instanceof ActionResult.Rejected(String reason)) {
            warn(declaration.key(), "write status", reason);
        } else if (published instanceof ActionResult.Unknown(String reason)) {
            warn(declaration.key(), "write status", reason);
        }
        return new Outcome(
                plan.ledger()
                        .withResults(
                                Refusals.next(plan.ledger().refusals(), results.byKey(), now),
                                results.pending(plan.ledger().pending(), now),
                                results.directives(plan.ledger().directives())),
                results.requeue(plan.requeueAfter()),
                false);
    }

    private static Optional<ClusterSpec> wish(Resolution resolution, Ledger ledger) {
        return switch (resolution) {
            case Resolution.Resolved(ClusterSpec spec) -> Optional.of(spec);
            case Resolution.Unusable ignored -> ledger.lastGood();
        };
    }

    private static SortedMap<NodeName, ValkeyPort.Target> targets(KubernetesView view, Optional<ClusterSpec> wish) {
        SortedMap<NodeName, ValkeyPort.Target> targets = new TreeMap<>();
        Optional<Credentials> credentials = view.credentials();
        if (credentials.isPresent()) {
            for (PodView pod : view.pods().values()) {
                // One that is being deleted is lost whatever it says, and waiting for its silence would hold up the
                // rest.
                boolean runs = pod.phase() == PodView.Phase.RUNNING && !pod.terminating();
                if (runs && pod.ip().isPresent()) {
                    targets.put(
                            pod.name(),
                            new ValkeyPort.Target(
                                    pod.name(),
                                    pod.ip().get(),
                                    ServerConfig.CLIENT_PORT,
                                    credentials.get().operator(),
                                    ServerConfig.directivesOf(pod, wish)));
                }
            }
        }
        return targets;
    }

    private record Results(SequencedMap<Action, ActionResult> byAction) {

        SequencedMap<String, ActionResult> byKey() {
            SequencedMap<String, ActionResult> byKey = new LinkedHashMap<>();
            byAction.forEach((action, result) -> {
                if (answer(action, result).isEmpty()) {
                    byKey.put(action.key(), result);
                }
            });
            return byKey;
        }

        /** What servers have said to new directives, which no observation shows. */
        SortedMap<NodeName, DirectivesAnswer> directives(SortedMap<NodeName, DirectivesAnswer> before) {
            SortedMap<NodeName, DirectivesAnswer> answers = new TreeMap<>(before);
            byAction.forEach((action, result) ->
                    answer(action, result).ifPresent(answer -> answers.put(((ValkeyAction) action).node(), answer)));
            return answers;
        }

        /** What was given and has not shown yet: an answer that did not come may mean that it was given. */
        SortedMap<String, Instant> pending(SortedMap<String, Instant> before, Instant now) {
            SortedMap<String, Instant> pending = new TreeMap<>(before);
            pending.values().removeIf(shows -> !shows.isAfter(now));
            byAction.forEach((action, result) -> {
                boolean given = result instanceof ActionResult.Applied || result instanceof ActionResult.Unknown;
                if (given && action.settles().isPositive()) {
                    pending.put(action.key(), now.plus(action.settles()));
                }
            });
            return pending;
        }

        Duration requeue(Duration planned) {
            boolean changed = byAction.values().stream()
                    .anyMatch(result -> result instanceof ActionResult.Applied || result instanceof ActionResult.Told);
            boolean noOp = byAction.values().stream().anyMatch(result -> result instanceof ActionResult.AlreadyDone);
            Duration soon = changed ? AFTER_CHANGE : noOp ? AFTER_NO_OP : planned;
            return soon.compareTo(planned) < 0 ? soon : planned;
        }
    }

    private static Optional<DirectivesAnswer> answer(Action action, ActionResult result) {
        if (!(action instanceof ValkeyAction.SetDirectives set)) {
            return Optional.empty();
        }
        return switch (result) {
            case ActionResult.Told(SortedMap<String, String> words) ->
                Optional.of(DirectivesAnswer.taken(set.changes(), words));
            case ActionResult.Rejected(String words) -> DirectivesAnswer.refused(set.changes(), words);
            case ActionResult.Applied ignored -> Optional.of(DirectivesAnswer.taken(set.changes(), new TreeMap<>()));
            case ActionResult.AlreadyDone ignored -> Optional.empty();
            case ActionResult.Unknown ignored -> Optional.empty();
        };
    }

    private Results execute(ClusterDeclaration declaration, Plan plan, SortedMap<NodeName, ValkeyPort.Target> targets) {
        List<KubernetesAction> writes = new ArrayList<>();
        List<ValkeyAction> commands = new ArrayList<>();
        for (Action action : plan.actions()) {
            switch (action) {
                case KubernetesAction write -> writes.add(write);
                case ValkeyAction command -> commands.add(command);
            }
        }
        SequencedMap<Action, ActionResult> results = new LinkedHashMap<>();
        if (!writes.isEmpty()) {
            collect(declaration.key(), writes, kubernetes.execute(declaration, writes), results);
        }
        if (!commands.isEmpty()) {
            collect(declaration.key(), commands, valkey.execute(targets, commands), results);
        }
        return new Results(results);
    }

    private void collect(
            ClusterKey key,
            List<? extends Action> actions,
            List<ActionResult> outcomes,
            SequencedMap<Action, ActionResult> results) {
        if (actions.size() != outcomes.size()) {
            throw new IllegalStateException(actions.size() + " actions gave " + outcomes.size() + " results");
        }
        for (int i = 0; i < actions.size(); i++) {
            Action action = actions.get(i);
            ActionResult outcome = outcomes.get(i);
            results.put(action, outcome);
            switch (outcome) {
                case ActionResult.Told ignored ->
                    ActionJournal.entry(key, action).ifPresent(journal::record);
                case ActionResult.Applied ignored ->
                    ActionJournal.entry(key, action).ifPresent(journal::record);
                case ActionResult.AlreadyDone ignored -> {}
                case ActionResult.Rejected(String reason)
                when answer(action, outcome)
                        .filter(answer -> answer.verdict() == DirectivesAnswer.Verdict.AT_START_ONLY)
                        .isPresent() ->
                    journal.record(entry(
                            Journal.Level.INFO,
                            "operator.controller",
                            "directives are taken at start only, replacing nodes",
                            key,
                            "reason",
                            reason));
                case ActionResult.Rejected(String reason) -> warn(key, action.key(), reason);
                case ActionResult.Unknown(String reason) ->
                    warn(key, action.key(), "no answer, it may have been done: " + reason);
            }
        }
    }

    private void warn(ClusterKey key, String action, String error) {
        journal.record(entry(
                Journal.Level.WARN,
                "operator.controller",
                "reconcile error, requeuing",
                key,
                "action",
                action,
                "error",
                error));
    }

    private static Journal.Entry entry(
            Journal.Level level, String target, String message, ClusterKey key, String... fields) {
        SequencedMap<String, Object> named = new LinkedHashMap<>();
        named.put("cluster_name", key.name());
        for (int i = 0; i < fields.length; i += 2) {
            named.put(fields[i], fields[i + 1]);
        }
        return new Journal.Entry(level, target, message, named);
    }
}
