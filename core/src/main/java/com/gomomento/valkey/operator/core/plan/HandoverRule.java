package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * Gap: the primary of a shard is being replaced.
 *
 * <p>Action: hand the shard over to a replica that stays, gracefully: the primary pauses its clients and gives every byte.
 *
 * <p>Evidence: whoever takes the primary's seat serves, is in sync and accepted by every member; of all replicas that stay
 * and are in sync, the one with the highest offset succeeds. All views agree on the shard's slots, none of them is on the
 * move, no other shard's former primary is still finding its place, and the cluster has a quorum.
 *
 * <p>Guard: the replica still follows that primary, and its link is up.
 *
 * <p>Invariants: S3, S4, S5, S12, S13.
 */
final class HandoverRule implements Rule {

    /** A hand-over takes some milliseconds; it is looked for often. */
    private static final Duration POLL = Duration.ofMillis(50);

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Shard shard : situation.shards.values()) {
            Optional<Seat> seat = shard.seats().stream()
                    .filter(any -> shard.owner()
                            .filter(owner -> any.replaced().stream().anyMatch(owner::is))
                            .isPresent())
                    .findFirst();
            if (shard.wanted() && seat.isPresent()) {
                handOver(shard, shard.owner().orElseThrow(), seat.get(), situation, draft);
            }
        }
    }

    private static void handOver(Shard shard, Member owner, Seat seat, Situation situation, Draft draft) {
        Member keeper = seat.keeper().orElseThrow();
        draft.because(
                Reason.Kind.PROGRESS, "primary " + owner.name() + " hands over once " + keeper.name() + " is in sync");
        if (!takes(keeper, owner, situation)
                || !Agreement.slotsAgreed(owner, situation)
                || !situation.hasQuorum()
                || situation.slotsMove()
                || situation.shards.values().stream().anyMatch(other -> !other.equals(shard) && stirs(other))) {
            return;
        }
        Member heir = shard.seats().stream()
                .flatMap(any -> any.keeper().stream())
                .filter(member -> situation.upToDate(member) && takes(member, owner, situation))
                .max(Comparator.comparing(
                                (Member member) -> member.answer().orElseThrow().offset())
                        .thenComparing(member -> member.equals(keeper))
                        .thenComparing(Comparator.comparing(Member::name).reversed()))
                .orElse(keeper);
        NodeId primary = owner.liveId();
        draft.wakeWithin(POLL);
        draft.disrupt(
                new ValkeyAction.Failover(heir.name(), heir.liveId(), primary, ValkeyAction.Failover.Mode.GRACEFUL));
    }

    /** Whether a shard has just been handed over: who had it before does not follow the new primary in sync yet. */
    private static boolean stirs(Shard shard) {
        return shard.owner().isPresent()
                && shard.seats().stream()
                        .flatMap(seat -> seat.replaced().stream())
                        .anyMatch(old -> old.live() && !old.ownsSlots() && !old.inSync());
    }

    private static boolean takes(Member member, Member owner, Situation situation) {
        return !member.is(owner) && member.serves() && Agreement.acceptedByAll(member, owner, situation);
    }
}
