package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gap: something of a member remains that is lost, replaced, surplus, of a shard that leaves, or was made before the first
 * slot from inputs that no longer hold.
 *
 * <p>Action: delete its pod; once the pod's UID is gone and no live view lists its id, delete its ValkeyNode. Of surplus
 * replicas, those first that hold no full copy. Replaced members go one at a time.
 *
 * <p>Evidence: its processes have ended, or no slot was ever claimed. Else it answers, most primaries answer, no view gives
 * it a slot, no move touches it and nobody follows it, nor was it just told to take over; and its shard is drained, or the
 * owner of its shard answers and, for a replaced one, its successor is in sync and accepted by all. One that has never been
 * heard may be any node of which no member is known: it stays while such a node is believed to own slots or is followed.
 *
 * <p>Guard: the pod's UID.
 *
 * <p>Invariants: S3, S4, S6, S8, S12.
 */
final class RetireRule implements Rule {

    private static final int GRACE_SECONDS = 30;

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Member member : situation.members.values()) {
            if (member.lost()) {
                retireLost(member, situation, draft);
            } else if (situation.disposable(member)) {
                delete(member, 0, draft);
            }
        }
        if (!situation.formed()) {
            return;
        }
        for (Shard shard : situation.shards.values()) {
            if (shard.wanted()) {
                retireSurplus(shard, situation, draft);
                retireReplaced(shard, situation, draft);
            } else {
                retireShard(shard, situation, draft);
            }
        }
    }

    private static void retireLost(Member member, Situation situation, Draft draft) {
        if (member.pod().isPresent()) {
            PodView pod = member.pod().get();
            boolean useless = pod.finished() ? !BootstrapFailure.keep(situation, pod) : impostor(member, situation);
            if (!pod.terminating() && useless) {
                draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), 0));
            }
            return;
        }
        if (Members.recorded(member) && !seatWaits(member, situation) && !listedAnywhere(member, situation)) {
            draft.act(new KubernetesAction.DeleteRecord(
                    member.name(), member.record().uid()));
        }
    }

    /**
     * Whether a running pod stands in the place of another that its ValkeyNode names, and holds nothing: two operators have
     * made, removed and made again. It will never be a member.
     */
    private static boolean impostor(Member member, Situation situation) {
        return member.report() instanceof Reachable answer
                && answer.self().slots().isEmpty()
                && situation.believedSlots(answer.id()).isEmpty()
                && !situation.followed.contains(answer.id());
    }

    private static void delete(Member member, int graceSeconds, Draft draft) {
        if (member.pod().isPresent()) {
            PodView pod = member.pod().get();
            draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), graceSeconds));
        } else if (Members.recorded(member)) {
            draft.act(new KubernetesAction.DeleteRecord(
                    member.name(), member.record().uid()));
        }
    }

    /** Whether its ValkeyNode is still needed: the successor's name derives from it. */
    private static boolean seatWaits(Member member, Situation situation) {
        Shard shard = situation.shardOf(member);
        boolean filled = shard.seats().stream()
                .filter(seat -> seat.ordinal() == member.ordinal())
                .anyMatch(Seat::filled);
        return shard.wanted() && !filled && shard.filledSeats().size() < situation.spec.membersPerShard();
    }

    private static boolean listedAnywhere(Member member, Situation situation) {
        Optional<NodeId> id = member.record().status().nodeId();
        // Who is silent may list it; a silent replica may even hold its data.
        return id.isPresent()
                && (situation.members.values().stream().anyMatch(Member::silent)
                        || situation.views.stream()
                                .anyMatch(view -> view.beliefs().lists(id.get())));
    }

    private static void retireSurplus(Shard shard, Situation situation, Draft draft) {
        int surplus = shard.filledSeats().size() - situation.spec.membersPerShard();
        if (shard.owner().filter(Member::serves).isEmpty() || surplus <= 0) {
            return;
        }
        Member owner = shard.owner().get();
        List<Seat> victims = shard.filledSeats().stream()
                .filter(seat -> seat.standing().stream().noneMatch(owner::is))
                .sorted(Comparator.comparing((Seat seat) -> keeper(seat).inSync())
                        .thenComparing(seat -> situation.upToDate(keeper(seat)))
                        .thenComparing(Seat::ordinal, Comparator.reverseOrder()))
                .limit(surplus)
                .toList();
        for (Seat seat : victims) {
            for (Member victim : seat.standing()) {
                draft.because(Reason.Kind.PROGRESS, "removing surplus replica " + victim.name());
                if (unused(victim, situation)) {
                    delete(victim, GRACE_SECONDS, draft);
                }
            }
        }
    }

    private static Member keeper(Seat seat) {
        return seat.keeper().orElseThrow();
    }

    private static void retireReplaced(Shard shard, Situation situation, Draft draft) {
        for (Seat seat : shard.seats()) {
            for (Member old : seat.replaced()) {
                Member successor = keeper(seat);
                draft.because(
                        Reason.Kind.PROGRESS, old.name() + " leaves once " + successor.name() + " has taken its place");
                boolean replaced = shard.owner()
                        .filter(owner -> owner.serves()
                                && !owner.is(old)
                                && Agreement.acceptedByAll(successor, owner, situation))
                        .filter(owner -> othersInSync(shard, owner, situation))
                        .isPresent();
                if (replaced && unused(old, situation)) {
                    old.pod()
                            .ifPresentOrElse(
                                    pod -> draft.disrupt(
                                            new KubernetesAction.DeletePod(pod.name(), pod.uid(), GRACE_SECONDS)),
                                    () -> delete(old, GRACE_SECONDS, draft));
                }
            }
        }
    }

    /** Whether all that stay and are live have found their place, so that what the old one holds is held by as many as wished. */
    private static boolean othersInSync(Shard shard, Member owner, Situation situation) {
        return shard.seats().stream()
                .flatMap(seat -> seat.keeper().stream())
                .filter(Member::live)
                .allMatch(member -> Agreement.acceptedByAll(member, owner, situation));
    }

    private static void retireShard(Shard shard, Situation situation, Draft draft) {
        List<Member> standing = shard.standing();
        if (standing.isEmpty()) {
            return;
        }
        draft.because(
                Reason.Kind.PROGRESS,
                "shard " + shard.id().index() + " leaves with " + standing.size() + " nodes once it is drained");
        // Lost members count: the replica of a dead primary owns nothing and holds everything.
        boolean drained = situation.complete
                && situation.hasQuorum()
                && standing.stream().allMatch(member -> member.live() || unheardOf(member, situation))
                && shard.members().stream().noneMatch(member -> hasSlots(member, situation));
        boolean followedFromOutside = situation.live.stream()
                .filter(member -> !member.shard().equals(shard.id()))
                .flatMap(member -> member.follows().stream())
                .anyMatch(id ->
                        standing.stream().anyMatch(member -> member.nodeId().equals(Optional.of(id))));
        if (drained && !followedFromOutside) {
            standing.forEach(member -> delete(member, GRACE_SECONDS, draft));
        }
    }

    /**
     * Whether it says itself, or has never been heard, and no view of a majority gives it a slot, no move touches it, and
     * nobody follows it. A silent member may be the primary of a majority that the operator does not reach.
     */
    private static boolean unused(Member member, Situation situation) {
        Optional<NodeId> id = member.nodeId();
        boolean saysSo = member.live() ? !member.ownsSlots() : unheardOf(member, situation);
        return saysSo
                && !takesOver(member, situation)
                && situation.hasQuorum()
                && !hasSlots(member, situation)
                && id.filter(situation.followed::contains).isEmpty();
    }

    /** Whether nobody knows its id, and no node that matters is one of which no member is known. */
    private static boolean unheardOf(Member member, Situation situation) {
        return member.nodeId().isEmpty()
                && Stream.concat(situation.believedOwners().keySet().stream(), situation.followed.stream())
                        .allMatch(id -> situation.standingById.containsKey(id) || situation.lostById.containsKey(id));
    }

    /** Whether it was told to take over a moment ago: it may own the slots of its shard before anybody is asked again. */
    private static boolean takesOver(Member member, Situation situation) {
        Instant shows = situation.ledger.pending().get(ValkeyAction.Failover.key(member.name()));
        return shows != null && shows.isAfter(situation.now);
    }

    /** Whether some view gives it slots, or a move touches it. */
    private static boolean hasSlots(Member member, Situation situation) {
        return member.nodeId()
                .filter(id -> !situation.believedSlots(id).isEmpty() || situation.moving.contains(id))
                .isPresent();
    }
}
