package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What to remember after a step, and the signs of life that are due by the clock. */
final class Memory {

    /** Signs of life of each cluster; users alert when they stop. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);

    /** After this time without a death, a shard's count starts anew. */
    private static final Duration CALM = Duration.ofMinutes(10);

    private Memory() {}

    /**
     * What to remember of a cluster whose wish is known.
     *
     * @param wished with the wish
     * @param situation with what was planned with, which differs while the wish is doubted
     */
    static Ledger next(
            Situation wished,
            Situation situation,
            Optional<Ledger.Doubt> doubt,
            Draft draft,
            Instant wordedAt,
            Instant nextHeartbeat) {
        return new Ledger(
                Optional.of(wished.spec),
                situation.ledger.refusals(),
                situation.ledger.pending(),
                endings(situation),
                silentSince(situation),
                crashes(situation),
                draft.reasons().isEmpty()
                        ? Optional.empty()
                        : situation.ledger.unsettledSince().or(() -> Optional.of(situation.now)),
                moving(situation, draft),
                directives(wished),
                Trial.next(doubt, situation),
                wordedAt,
                draft.said(),
                nextHeartbeat);
    }

    /**
     * Tells the heartbeats if they are due. Comes before the rules: a heartbeat lets what is still true be said once more,
     * and what is said after it is not to be forgotten with the rest.
     *
     * @return when the next ones are due
     */
    static Instant beat(Optional<ClusterStatus> published, Draft draft, Ledger ledger, Instant now) {
        Instant due = ledger.nextHeartbeat();
        if (due.isAfter(now)) {
            draft.wakeBy(due);
            return due;
        }
        draft.forgetWhatWasSaid();
        draft.tell(Journal.Level.INFO, "operator.controller.acl", "ACL reconcile tick");
        draft.tell(Journal.Level.INFO, "operator.controller.tls", "TLS reconcile tick");
        published
                .filter(status -> status.state() == ClusterState.ACTIVE || status.state() == ClusterState.UPDATING)
                .ifPresent(status -> draft.tell(
                        Journal.Level.INFO,
                        "operator.controller",
                        "active tick",
                        "shards",
                        status.shards(),
                        "nodes",
                        status.nodes().size()));
        // A beat that comes late does not move the next, unless that is past, too.
        Instant next = due.plus(HEARTBEAT).isAfter(now) ? due.plus(HEARTBEAT) : now.plus(HEARTBEAT);
        draft.wakeBy(next);
        return next;
    }

    private static Optional<Ledger.Moving> moving(Situation situation, Draft draft) {
        if (draft.slotsToMove().isEmpty()) {
            return Optional.empty();
        }
        int remaining = draft.slotsToMove().getAsInt();
        int shards = situation.spec.shards();
        return situation
                .ledger
                .moving()
                .filter(before -> before.shards() == shards && before.slots() >= remaining)
                .or(() -> Optional.of(new Ledger.Moving(shards, remaining)));
    }

    /** A yes until the member's pod tells it, a no as long as it keeps some member from being asked. */
    private static SortedMap<NodeName, Ledger.DirectivesAnswer> directives(Situation situation) {
        SortedMap<NodeName, Ledger.DirectivesAnswer> answers = new TreeMap<>(situation.ledger.directives());
        answers.values().removeIf(answer -> !situation.config.matters(answer, situation.members.values()));
        return answers;
    }

    private static SortedMap<NodeName, String> endings(Situation situation) {
        SortedMap<NodeName, String> endings = new TreeMap<>(situation.ledger.endings());
        endings.keySet().retainAll(situation.members.keySet());
        for (Member member : situation.members.values()) {
            member.pod()
                    .filter(pod -> pod.finished() || pod.terminating())
                    .ifPresent(pod -> endings.put(member.name(), pod.uid()));
        }
        return endings;
    }

    private static SortedMap<NodeName, Instant> silentSince(Situation situation) {
        SortedMap<NodeName, Instant> silent = new TreeMap<>();
        for (Member member : situation.members.values()) {
            if (member.silent()) {
                silent.put(member.name(), situation.ledger.silentSince().getOrDefault(member.name(), situation.now));
            }
        }
        return silent;
    }

    private static SortedMap<ShardId, Ledger.Crashes> crashes(Situation situation) {
        SortedMap<ShardId, Ledger.Crashes> crashes = new TreeMap<>(situation.ledger.crashes());
        crashes.values()
                .removeIf(entry -> entry.lastAt().plus(CALM).isBefore(situation.now)
                        || !entry.template().equals(situation.inputs));
        SortedMap<ShardId, List<PodView>> dead = new TreeMap<>();
        for (Member member : situation.members.values()) {
            member.pod()
                    .filter(pod -> !pod.terminating() && situation.current(pod) && situation.diedSoon(pod))
                    .ifPresent(pod -> dead.computeIfAbsent(member.shard(), _ -> new ArrayList<>())
                            .add(pod));
        }
        dead.forEach((shard, pods) -> {
            Ledger.Crashes before = crashes.get(shard);
            Set<String> counted = before == null ? Set.of() : before.deadPodUids();
            SortedSet<String> uids = new TreeSet<>();
            pods.forEach(pod -> uids.add(pod.uid()));
            // Members that one fault ends at once have had one try, not several.
            pods.stream()
                    .filter(pod -> !counted.contains(pod.uid()))
                    .reduce((_, later) -> later)
                    .ifPresent(last -> crashes.put(
                            shard,
                            new Ledger.Crashes(
                                    before == null ? 1 : before.count() + 1,
                                    last.name(),
                                    uids,
                                    situation.now,
                                    Ending.of(last),
                                    situation.inputs)));
        });
        return crashes;
    }
}
