package com.gomomento.valkey.operator.core.plan;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Gap: a member runs with another image, configuration or placement than the wish has.
 *
 * <p>Action: create its successor beside it, one in the whole cluster at a time, replicas before their primary. The old member
 * leaves when the new one has all it has; the first successor that can't run shows a bad input before anything that runs is
 * touched.
 *
 * <p>Evidence: no other member is being replaced and no slot moves. In the shard every seat is filled by a member that is live,
 * in sync and accepted by all, and the cluster has a quorum.
 *
 * <p>Guard: the name derives from the member that is replaced, so the same decision twice creates once.
 *
 * <p>Invariants: S4, S12, S13.
 */
final class RollRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!situation.formed() || situation.stopgap) {
            return;
        }
        Downgrade.tell(situation, draft);
        List<Member> outdated = situation.members.values().stream()
                .filter(member -> !member.lost() && situation.shardOf(member).wanted())
                .filter(member -> outdated(member, situation))
                .toList();
        if (outdated.isEmpty()) {
            return;
        }
        int all = situation.spec.members();
        draft.because(
                Reason.Kind.PROGRESS,
                Math.max(0, all - outdated.size()) + " of " + all
                        + " nodes run the wished image, configuration and placement");
        boolean free = situation.shards.values().stream().noneMatch(Shard::inHandover)
                && !situation.slotsMove()
                && draft.slotsToMove().isEmpty()
                && situation.hasQuorum();
        if (!free || !SupportRule.complete(situation)) {
            return;
        }
        for (Shard shard : situation.shards.values()) {
            Optional<Member> next = next(shard, situation);
            if (shard.wanted() && next.isPresent() && Agreement.inOrder(shard, situation)) {
                if (!MembershipRule.mustWait(shard, situation, draft)) {
                    replace(shard, next.get(), situation, draft);
                }
                return;
            }
        }
    }

    private static Optional<Member> next(Shard shard, Situation situation) {
        return shard.seats().stream()
                .flatMap(seat -> seat.keeper().stream())
                .filter(member -> outdated(member, situation))
                .min(Comparator.comparing(Member::ownsSlots).thenComparingInt(Member::ordinal));
    }

    /** Whether only another pod brings this member to what is wished. */
    private static boolean outdated(Member member, Situation situation) {
        return !situation.currentTemplate(member) || situation.config.needsPod(member);
    }

    private static void replace(Shard shard, Member old, Situation situation, Draft draft) {

        draft.because(Reason.Kind.PROGRESS, "replacing " + old.name() + ", the new node comes first");
        draft.act(MembershipRule.seat(shard, old.ordinal(), Optional.of(old.name()), situation, new HashSet<>()));
    }
}
