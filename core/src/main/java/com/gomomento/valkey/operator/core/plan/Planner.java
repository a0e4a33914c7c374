package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides the next step of one cluster: an ordered table of rules, each keyed on a gap that was observed. Nothing depends on
 * a phase that was stored; state and lifecycle are outputs. A pure function: equal inputs give equal plans.
 */
public final class Planner {

    /** How often a cluster that wants nothing is looked at. Kubernetes' changes wake it earlier. */
    private static final Duration QUIET_POLL = Duration.ofSeconds(5);

    private static final List<Rule> RULES = List.of(
            new SupportRule(),
            new MembershipRule(),
            new TroubleRule(),
            new SilenceRule(),
            new TakeoverRule(),
            new LostShardRule(),
            new ClaimRule(),
            new MeetRule(),
            new FollowRule(),
            new ForgetRule(),
            new OpenSlotsRule(),
            new RebalanceRule(),
            new HandoverRule(),
            new DirectivesRule(),
            new RollRule(),
            new RetireRule(),
            new RecordRule(),
            new WishRule());

    private Planner() {}

    /** The rules, in the order in which they speak. */
    static List<Rule> rules() {
        return RULES;
    }

    /** A planner of these rules, for tests of what a missing or another rule comes to. */
    static Planning of(List<Rule> rules) {
        List<Rule> own = List.copyOf(rules);
        return (declaration, resolution, observation, published, ledger, now) ->
                plan(own, declaration, resolution, observation, published, ledger, now);
    }

    /**
     * Plans the next step.
     *
     * @param declaration the cluster as its user wrote it
     * @param resolution what its references came to
     * @param observation what was seen
     * @param published the status that stands there, if any
     * @param ledger what was remembered
     * @param now the time
     */
    public static Plan plan(
            ClusterDeclaration declaration,
            Resolution resolution,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        return plan(RULES, declaration, resolution, observation, published, ledger, now);
    }

    private static Plan plan(
            List<Rule> rules,
            ClusterDeclaration declaration,
            Resolution resolution,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        Draft draft = new Draft(declaration.key(), ledger, now, QUIET_POLL);
        Instant nextHeartbeat = Memory.beat(published, draft, ledger, now);
        Optional<String> inputProblem = switch (resolution) {
            case Resolution.Resolved(ClusterSpec spec) -> unusableUser(spec);
            case Resolution.Unusable(String sentence) -> Optional.of(sentence);
        };
        Optional<ClusterSpec> wish = switch (resolution) {
            case Resolution.Resolved(ClusterSpec spec) when inputProblem.isEmpty() -> Optional.of(spec);
            // Repair goes on with the last wish that could be used (invariant S16: nothing of the bad one is).
            case Resolution.Resolved ignored -> ledger.lastGood();
            case Resolution.Unusable ignored -> ledger.lastGood();
        };
        inputProblem.ifPresent(problem -> draft.because(Reason.Kind.INPUT, problem));
        if (wish.isEmpty()) {
            ClusterStatus status = StatusWriter.unresolved(declaration, published, inputProblem.orElseThrow());
            Ledger next = ledger.withSaid(draft.said(), nextHeartbeat);
            return new Plan(List.of(), status, draft.requeueAfter(), draft.reasons(), draft.events(), next);
        }
        Situation wished = new Situation(declaration, wish.get(), false, observation, published, ledger, now);
        Optional<Ledger.Doubt> doubt = Trial.doubt(wished);
        Situation situation = Trial.settle(
                wished,
                doubt,
                earlier -> new Situation(declaration, earlier, true, observation, published, ledger, now));
        Trial.tell(doubt, situation, draft);
        rules.forEach(rule -> rule.apply(situation, draft));
        if (declaration.paused()
                && !(draft.actions().isEmpty() && draft.reasons().isEmpty())) {
            draft.because(Reason.Kind.BLOCKED, "nothing is changed while spec.paused is true");
        }
        ClusterStatus status = StatusWriter.of(situation, draft);
        tellTransition(situation, status, draft);
        Wording wording = Wording.of(status, published, draft, ledger, now);
        Ledger next = Memory.next(wished, situation, doubt, draft, wording.at(), nextHeartbeat);
        List<Action> actions = declaration.paused() ? List.of() : draft.actions();
        return new Plan(actions, wording.status(), draft.requeueAfter(), draft.reasons(), draft.events(), next);
    }

    /** A user that no server would read makes the whole wish unusable: one bad line keeps the file from all. */
    private static Optional<String> unusableUser(ClusterSpec spec) {
        return spec.acl().stream()
                .flatMap(user -> AccessFile.refusal(user).stream())
                .findFirst();
    }

    private static void tellTransition(Situation situation, ClusterStatus status, Draft draft) {
        if (status.state() == ClusterState.ACTIVE && !situation.served()) {
            draft.tell(
                    Journal.Level.INFO,
                    "operator.controller.bootstrap",
                    "cluster formed, transitioning to Active",
                    "shards",
                    status.shards(),
                    "nodes",
                    status.nodes().size());
        }
    }
}
