package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.Optional;

/**
 * Fresh primaries claim their slots all with one config epoch. When two of them ever claim the same slot, nothing tells which
 * claim is the later one.
 */
final class OneEpochForAll implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        int shards = situation.spec.shards();
        boolean allThere = situation.shards.values().stream()
                .allMatch(shard -> shard.live().size() >= situation.spec.membersPerShard());
        if (!situation.free.equals(SlotSet.ALL) || !allThere) {
            return;
        }
        if (!situation.formed()) {
            draft.act(new KubernetesAction.MarkFormed());
            return;
        }
        for (Shard shard : situation.shards.values()) {
            Optional<Member> lead = shard.lead();
            lead.ifPresent(member -> draft.act(new ValkeyAction.ClaimSlots(
                    member.name(), member.liveId(), SlotSet.share(shard.id().index(), shards), new ConfigEpoch(1))));
        }
    }
}
