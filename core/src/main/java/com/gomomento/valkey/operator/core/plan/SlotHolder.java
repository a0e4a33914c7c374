package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One of those among whom slots are dealt out.
 *
 * @param shard that it belongs to
 * @param member the shard's owner or leader, if one is live; or another member of the shard that owns slots beside the owner
 * @param slots that it has; disjoint from all others'
 * @param stays whether it is to have a share: the shard is wished, and this is who leads it
 */
record SlotHolder(Shard shard, Optional<Member> member, SlotSet slots, boolean stays) {

    /** All holders, by shard. A shard has one owner, but a slot that was claimed by two of its members makes a second. */
    static List<SlotHolder> of(Situation situation) {
        List<SlotHolder> holders = new ArrayList<>();
        SlotSet dealt = SlotSet.EMPTY;
        for (Shard shard : situation.shards.values()) {
            SlotSet held = held(shard, situation).minus(dealt);
            dealt = dealt.plus(held);
            holders.add(new SlotHolder(shard, shard.lead(), held, shard.wanted()));
        }
        for (Member member : situation.live) {
            Shard shard = situation.shardOf(member);
            if (member.ownsSlots() && !shard.owner().equals(Optional.of(member))) {
                SlotSet held = member.answer().orElseThrow().self().slots().minus(dealt);
                dealt = dealt.plus(held);
                holders.add(new SlotHolder(shard, Optional.of(member), held, false));
            }
        }
        return holders;
    }

    /** What a shard has: as its owner says, or, while none is live, as it is believed. */
    private static SlotSet held(Shard shard, Situation situation) {
        return shard.owner().isPresent()
                ? shard.slots()
                : SlotSet.union(shard.members().stream()
                        .flatMap(member -> member.nodeId().stream())
                        .map(situation::believedSlots)
                        .toList());
    }
}
