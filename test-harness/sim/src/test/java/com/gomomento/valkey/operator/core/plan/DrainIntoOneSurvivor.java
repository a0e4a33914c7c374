package com.gomomento.valkey.operator.core.plan;

import java.util.List;

/**
 * All slots of shards that leave go to the first of those who stay, which gets their memory and their load, and nothing is
 * evened out afterwards: the operator says that all is as wished when it is not.
 */
final class DrainIntoOneSurvivor implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        List<Member> stay = owners(situation, true);
        List<Member> leave = owners(situation, false);
        if (stay.isEmpty() || leave.isEmpty() || situation.slotsMove()) {
            return;
        }
        Member source = leave.getFirst();
        draft.slotsToMove(source.answer().orElseThrow().self().slots().size());
        draft.act(RebalanceRule.move(
                source,
                stay.getFirst(),
                source.answer().orElseThrow().self().slots(),
                ValkeyAction.MoveSlots.Method.KEY_BY_KEY));
    }

    private static List<Member> owners(Situation situation, boolean wanted) {
        return situation.shards.values().stream()
                .filter(shard -> shard.wanted() == wanted)
                .flatMap(shard -> shard.owner().stream())
                .toList();
    }
}
