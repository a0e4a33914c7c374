package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.port.Journal;
import java.util.Comparator;
import java.util.List;

/**
 * A slot that nobody who answers gives to anybody counts as free, and is claimed: also while its owner merely does not answer
 * and those who do have not been introduced to it yet.
 */
final class ClaimOnAPartialView implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        List<Member> primaries = situation.shards.values().stream()
                .flatMap(shard -> shard.lead().stream())
                .toList();
        boolean started = situation.members.size() >= situation.spec.members();
        if (situation.free.isEmpty() || primaries.isEmpty() || !started) {
            return;
        }
        if (!situation.formed()) {
            draft.act(new KubernetesAction.MarkFormed());
            return;
        }
        draft.tell(
                Journal.Level.WARN,
                "operator.controller.bootstrap",
                "slots have no owner left, they come back empty",
                "slots",
                situation.free.size());
        SlotSet rest = situation.free;
        int each = rest.size() / primaries.size() + 1;
        long epoch = situation.answers.stream()
                .map(answer -> answer.currentEpoch())
                .max(Comparator.naturalOrder())
                .orElse(0L);
        for (Member primary : primaries) {
            SlotSet share = rest.first(Math.min(each, rest.size()));
            rest = rest.minus(share);
            if (!share.isEmpty()) {
                epoch++;
                draft.act(new ValkeyAction.ClaimSlots(primary.name(), primary.liveId(), share, new ConfigEpoch(epoch)));
            }
        }
    }
}
