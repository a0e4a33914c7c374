package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Gap: a shard's primary is dead and its replicas live.
 *
 * <p>Action: wait for the engine's own election. Only where it can't come about, because too few primaries are left to vote
 * or the dead one owned no slot, let the replica with the highest offset take over.
 *
 * <p>Evidence: Kubernetes says that the primary has ended, and so many others with it that those which may be alive are no
 * majority in the replica's own view. Primaries that merely don't answer the operator count as alive. The replica held a
 * whole copy; one of its siblings that may hold more is waited for, for a while.
 *
 * <p>Guard: the replica still follows that primary, and its link to it is down or it holds itself that it is dead.
 *
 * <p>Invariants: S3, S5.
 */
final class TakeoverRule implements Rule {

    /** How long a silent sibling, whose offset may be higher, is waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Who has received most of the stream; of several, the first by name. */
    private static final Comparator<Member> BY_DATA = Comparator.comparing(
                    (Member member) -> member.answer().orElseThrow().offset())
            .thenComparing(Comparator.comparing(Member::name).reversed());

    private static final Duration NOTICE_POLL = Duration.ofMillis(200);

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!situation.formed()) {
            return;
        }
        for (Shard shard : situation.shards.values()) {
            if (shard.owner().isPresent() || shard.lead().isPresent()) {
                continue;
            }
            List<Member> followers = shard.live().stream()
                    .filter(member -> member.follows()
                            .filter(id -> !situation.believedSlots(id).isEmpty() && !isLive(id, situation))
                            .isPresent())
                    .filter(Member::holdsCopy)
                    .toList();
            if (followers.isEmpty()) {
                freeOrphan(shard, situation, draft);
            } else {
                decide(shard, followers, situation, draft);
            }
        }
    }

    /** A primary that has just been drained lives, though some views still give it slots. */
    private static boolean isLive(NodeId id, Situation situation) {
        return Optional.ofNullable(situation.standingById.get(id))
                .filter(Member::live)
                .isPresent();
    }

    /** The engine elects nobody for a primary without slots, so that a shard whose first primary died early stays without. */
    private static void freeOrphan(Shard shard, Situation situation, Draft draft) {
        Optional<Member> orphan = shard.live().stream()
                .filter(member -> member.follows()
                        .filter(id -> situation.believedSlots(id).isEmpty()
                                && !isLive(id, situation)
                                && !mayBeAlive(id, member, situation))
                        .isPresent())
                .max(BY_DATA);
        orphan.ifPresent(member -> {
            draft.because(
                    Reason.Kind.PROGRESS,
                    member.name() + " follows a dead node without slots; it becomes the primary of shard "
                            + shard.id().index());
            draft.act(new ValkeyAction.Failover(
                    member.name(),
                    member.liveId(),
                    member.follows().orElseThrow(),
                    ValkeyAction.Failover.Mode.TAKEOVER));
        });
    }

    private static void decide(Shard shard, List<Member> followers, Situation situation, Draft draft) {
        Member best = followers.stream().max(BY_DATA).orElseThrow();
        NodeId primary = best.follows().orElseThrow();
        if (mayBeAlive(primary, best, situation) || electable(best, situation)) {
            tellOfElection(shard, followers.size(), draft);
        } else if (betterMayReturn(shard, situation)) {
            draft.because(
                    Reason.Kind.UNSERVED,
                    "shard " + shard.id().index()
                            + " has no primary and too few are left to elect one; waiting a moment for a replica that"
                            + " may hold more");
            draft.wakeWithin(NOTICE_POLL);
        } else if (!Guards.abandoned(best.answer().orElseThrow(), primary)) {
            draft.because(
                    Reason.Kind.UNSERVED,
                    "shard " + shard.id().index() + " has no primary; waiting until replica " + best.name()
                            + " notices it");
            draft.wakeWithin(NOTICE_POLL);
        } else {
            draft.because(
                    Reason.Kind.UNSERVED,
                    "shard " + shard.id().index() + " has no primary and too few are left to elect one; replica "
                            + best.name() + " takes over");
            draft.act(new ValkeyAction.Failover(
                    best.name(), best.liveId(), primary, ValkeyAction.Failover.Mode.TAKEOVER));
        }
    }

    private static void tellOfElection(Shard shard, int replicas, Draft draft) {
        int index = shard.id().index();
        draft.because(
                Reason.Kind.UNSERVED,
                "shard " + index + " has no primary, waiting for the election of one of its " + replicas + " replicas");
        draft.tellOnce(
                "shard " + index,
                "waiting",
                Journal.Level.INFO,
                "operator.controller.failover",
                "primary unhealthy but replicas exist, waiting for auto-failover",
                "shard",
                index,
                "replicas",
                replicas);
    }

    /** Whether those who may be alive are a majority of the primaries that the replica counts. */
    private static boolean electable(Member replica, Situation situation) {
        Beliefs beliefs = replica.answer().map(Reachable::view).orElseThrow();
        List<MemberBelief> voters = beliefs.all().stream()
                .filter(line -> line.role() == Role.PRIMARY && !line.slots().isEmpty())
                .toList();
        long alive = voters.stream()
                .filter(line -> mayBeAlive(line.id(), replica, situation))
                .count();
        return alive >= voters.size() / 2 + 1;
    }

    private static boolean mayBeAlive(NodeId id, Member replica, Situation situation) {
        if (situation.standingById.containsKey(id)) {
            return true;
        }
        Member lost = situation.lostById.get(id);
        boolean linked = replica.answer()
                .flatMap(answer -> answer.view().of(id))
                .filter(line -> line.health() == Health.OK && line.linkUp())
                .isPresent();
        if (lost != null) {
            return linked && !situation.seenToEnd(lost);
        }
        // Nobody of ours is known under this id: it may be a pod that has not told its id yet.
        boolean someoneUnheard = situation.members.values().stream()
                .anyMatch(member ->
                        !member.live() && !member.lost() && member.pod().isPresent());
        return linked || someoneUnheard;
    }

    private static boolean betterMayReturn(Shard shard, Situation situation) {
        return shard.members().stream().filter(Member::silent).anyMatch(member -> {
            Optional<Instant> since =
                    Optional.ofNullable(situation.ledger.silentSince().get(member.name()));
            return since.map(at -> at.plus(PATIENCE).isAfter(situation.now)).orElse(true);
        });
    }
}
