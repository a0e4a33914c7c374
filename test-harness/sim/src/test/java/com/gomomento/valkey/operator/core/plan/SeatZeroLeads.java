package com.gomomento.valkey.operator.core.plan;

/**
 * Whoever sits on seat 0 is the primary of its shard, as the first pod of a StatefulSet is with simple operators. After the
 * primary has died its empty successor comes up on that seat, and the replica, which has all of the data, is told to follow
 * it: the first thing that it does is to throw everything away.
 */
final class SeatZeroLeads implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Shard shard : situation.shards.values()) {
            shard.live().stream()
                    .filter(member -> member.ordinal() == 0 && member.follows().isEmpty())
                    .findFirst()
                    .ifPresent(lead -> follow(shard, lead, draft));
        }
    }

    private static void follow(Shard shard, Member lead, Draft draft) {
        for (Member member : shard.live()) {
            boolean astray = !member.equals(lead)
                    && !member.ownsSlots()
                    && member.follows().filter(lead.liveId()::equals).isEmpty();
            if (astray && member.answer().orElseThrow().view().knows(lead.liveId())) {
                draft.act(new ValkeyAction.Replicate(member.name(), member.liveId(), lead.liveId()));
            }
        }
    }
}
