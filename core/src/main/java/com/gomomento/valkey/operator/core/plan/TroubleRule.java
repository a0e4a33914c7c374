package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Gap: a member is not up, or members don't agree.
 *
 * <p>Action: none; it tells what is waited for, with Kubernetes' and the server's own words.
 *
 * <p>Evidence: pods, servers' answers and every view.
 *
 * <p>Guard: none is needed.
 *
 * <p>Invariants: S18.
 */
final class TroubleRule implements Rule {

    private static final String TARGET = "operator.controller.bootstrap";

    /** Gossip takes about two seconds to settle; looking often costs little and shows the end at once. */
    private static final Duration GOSSIP_POLL = Duration.ofMillis(100);

    private static final Duration START_POLL = Duration.ofMillis(500);

    /** What has not settled by then waits for something that time alone does not bring. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private static final Duration LATE_POLL = Duration.ofSeconds(2);

    @Override
    public void apply(Situation situation, Draft draft) {
        List<NodeName> starting = new ArrayList<>();
        List<NodeName> unready = new ArrayList<>();
        for (Member member : situation.members.values()) {
            switch (member.vitality()) {
                case LOST -> tellLost(member, situation, draft);
                case SILENT -> tellSilent(member, situation, draft);
                case PLANNED, STARTING -> {
                    starting.add(member.name());
                    member.pod().ifPresent(pod -> tellBlocked(pod, situation, draft));
                }
                case LIVE -> {
                    // Kubernetes sends no client to it yet, however well its server answers us.
                    if (member.pod().filter(PodView::ready).isEmpty()) {
                        unready.add(member.name());
                    }
                }
            }
        }
        if (!starting.isEmpty()) {
            draft.wakeWithin(poll(START_POLL, situation));
            draft.because(
                    Reason.Kind.PROGRESS,
                    "waiting for " + starting.size() + " of " + situation.spec.members() + " nodes to start: "
                            + names(starting));
        }
        if (!unready.isEmpty()) {
            draft.because(
                    Reason.Kind.PROGRESS, "waiting for " + unready.size() + " pods to be Ready: " + names(unready));
        }
        tellCrashes(situation, draft);
        tellUnserved(situation, draft);
        // Before all servers run, they can't agree; asking them every tenth of a second would only slow their start.
        boolean underWay = starting.isEmpty() && situation.formed();
        if (underWay || situation.served()) {
            tellDisagreement(situation, draft);
        }
    }

    private static String names(List<NodeName> nodes) {
        return nodes.stream().map(NodeName::value).collect(Collectors.joining(", "));
    }

    private static void tellLost(Member member, Situation situation, Draft draft) {
        boolean wanted = situation.shardOf(member).wanted();
        // Of a shard that stays, the crashes are told, with the last words; one that leaves has no other line.
        if (!wanted || situation.crashing(member.shard()).isEmpty()) {
            String how = member.pod().map(Ending::of).orElse("");
            String verb = wanted ? "replacing" : "removing";
            draft.because(
                    Reason.Kind.REPLACING,
                    verb + " lost node " + member.name() + (how.isEmpty() ? "" : " (" + how + ")"));
        }
        draft.wakeWithin(poll(START_POLL, situation));
    }

    /** Also when the pod that ended is gone already: its last words say why nothing goes on. */
    private static void tellCrashes(Situation situation, Draft draft) {
        for (Shard shard : situation.shards.values()) {
            Optional<Ledger.Crashes> crashing = shard.wanted() ? situation.crashing(shard.id()) : Optional.empty();
            crashing.filter(_ ->
                            shard.members().stream().anyMatch(member -> !member.live() || !situation.upToDate(member)))
                    .ifPresent(crashes -> tellCrash(shard, crashes, draft));
        }
    }

    private static void tellCrash(Shard shard, Ledger.Crashes crashes, Draft draft) {
        draft.because(
                Reason.Kind.CRASHING,
                "node " + crashes.lastNode() + " of shard " + shard.id().index() + " ended soon after its start, "
                        + crashes.count() + " times in a row"
                        + (crashes.lastWords().isEmpty() ? "" : ": " + crashes.lastWords()));
    }

    private static void tellSilent(Member member, Situation situation, Draft draft) {
        String why = member.report() instanceof NodeReport.Unreachable unreachable ? ": " + unreachable.detail() : "";
        Instant since = situation.ledger.silentSince().getOrDefault(member.name(), situation.now);
        draft.because(
                Reason.Kind.SILENT,
                "node " + member.name() + " does not answer the operator since " + since.truncatedTo(ChronoUnit.SECONDS)
                        + why);
        draft.wakeWithin(poll(START_POLL, situation));
    }

    private static void tellBlocked(PodView pod, Situation situation, Draft draft) {
        if (pod.trouble().isEmpty()) {
            return;
        }
        switch (pod.trouble().get()) {
            case PodView.Unschedulable(String message) -> {
                draft.because(Reason.Kind.BLOCKED, "pod " + pod.name() + " cannot be scheduled: " + message);
                if (!situation.served()) {
                    draft.tellOnce(
                            pod.name().value(),
                            message,
                            Journal.Level.WARN,
                            TARGET,
                            "bootstrap blocked: pod cannot be scheduled",
                            "pod",
                            pod.name().value(),
                            "reason",
                            message);
                }
            }
            case PodView.Waiting(String reason, String message) ->
                draft.because(
                        Reason.Kind.BLOCKED,
                        "pod " + pod.name() + " cannot start: " + reason + (message.isBlank() ? "" : ": " + message));
        }
    }

    private static void tellUnserved(Situation situation, Draft draft) {
        if (!situation.served()) {
            return;
        }
        int served = situation.served.size();
        if (served < SlotSet.COUNT) {
            String ownerless = situation.shards.values().stream()
                    .filter(shard -> shard.wanted() && shard.owner().isEmpty())
                    .map(shard -> Integer.toString(shard.id().index()))
                    .collect(Collectors.joining(", "));
            draft.because(
                    Reason.Kind.UNSERVED,
                    "no live primary is seen for " + (SlotSet.COUNT - served) + " slots"
                            + (ownerless.isEmpty() ? "" : ", shard " + ownerless));
            draft.wakeWithin(poll(GOSSIP_POLL, situation));
        }
    }

    private static void tellDisagreement(Situation situation, Draft draft) {
        Agreement.firstDifference(situation).ifPresent(difference -> {
            draft.because(Reason.Kind.PROGRESS, "waiting until all nodes agree: " + difference);
            draft.wakeWithin(poll(GOSSIP_POLL, situation));
        });
    }

    private static Duration poll(Duration atFirst, Situation situation) {
        boolean late = situation
                .ledger
                .unsettledSince()
                .filter(since -> since.plus(SETTLING).isBefore(situation.now))
                .isPresent();
        return late ? LATE_POLL : atFirst;
    }
}
