package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.SlotSet;

/** A cluster without any slot counts as a new one, whatever it was before, and is formed empty as if nothing had been there. */
final class RebornInSilence implements Rule {

    private final Rule others = new ClaimRule();

    @Override
    public void apply(Situation situation, Draft draft) {
        boolean allThere = situation.shards.values().stream()
                .allMatch(shard -> !shard.wanted() || shard.live().size() >= situation.spec.membersPerShard());
        if (!situation.formed() || !situation.free.equals(SlotSet.ALL) || !allThere) {
            others.apply(situation, draft);
            return;
        }
        for (Shard shard : situation.shards.values()) {
            shard.lead()
                    .ifPresent(member -> draft.act(new ValkeyAction.ClaimSlots(
                            member.name(),
                            member.liveId(),
                            SlotSet.share(shard.id().index(), situation.spec.shards()),
                            new ConfigEpoch(1L + shard.id().index()))));
        }
    }
}
