package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Those who move slots and those who roll don't know of each other: the primary that hands over may be an end of a migration,
 * which is then cut off.
 */
final class RollWhileSlotsMove {

    private RollWhileSlotsMove() {}

    /** Rolls and hands over one shard at a time, and moves slots all the while. */
    static Planning planning() {
        return HistoricalBug.with(Map.of(
                RebalanceRule.class, new Move(),
                RollRule.class, new AllShardsAtOnce.Roll(1),
                HandoverRule.class, new AllShardsAtOnce.Handover()));
    }

    /** Evens slots out, also among shards whose members are being replaced. */
    static final class Move implements Rule {

        private static final int SLOTS_A_MOVE = 256;

        private static final Comparator<Member> BY_SLOTS =
                Comparator.comparingInt(member -> slots(member).size());

        private final Rule others = new RebalanceRule();

        @Override
        public void apply(Situation situation, Draft draft) {
            others.apply(situation, draft);
            List<Member> owners = situation.shards.values().stream()
                    .filter(Shard::wanted)
                    .flatMap(shard -> shard.lead().stream())
                    .filter(member -> !situation.moving.contains(member.liveId()))
                    .toList();
            if (!situation.formed() || !situation.complete || owners.size() < 2) {
                return;
            }
            Member source = owners.stream().max(BY_SLOTS).orElseThrow();
            Member target = owners.stream().min(BY_SLOTS).orElseThrow();
            int surplus = (slots(source).size() - slots(target).size()) / 2;
            if (surplus > 0) {
                draft.act(RebalanceRule.move(
                        source,
                        target,
                        slots(source).first(Math.min(surplus, SLOTS_A_MOVE)),
                        ValkeyAction.MoveSlots.Method.ATOMIC));
            }
        }

        private static SlotSet slots(Member member) {
            return member.answer().orElseThrow().self().slots();
        }
    }
}
