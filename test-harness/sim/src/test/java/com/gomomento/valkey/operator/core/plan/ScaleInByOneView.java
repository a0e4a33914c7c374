package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import java.util.List;

/**
 * A shard that is to leave is taken for drained as soon as one node, whichever is asked first, gives its members no slots. That
 * node may be new, cut off, or late.
 */
final class ScaleInByOneView implements Rule {

    private final Rule others = new RetireRule();

    @Override
    public void apply(Situation situation, Draft draft) {
        others.apply(situation, draft);
        if (situation.live.isEmpty() || !situation.formed()) {
            return;
        }
        Beliefs topology = situation.live.getFirst().answer().orElseThrow().view();
        for (Shard shard : situation.shards.values()) {
            List<Member> standing = shard.standing();
            boolean drained = standing.stream()
                    .allMatch(member -> member.nodeId()
                            .flatMap(topology::of)
                            .map(MemberBelief::slots)
                            .orElse(SlotSet.EMPTY)
                            .isEmpty());
            if (!shard.wanted() && drained) {
                for (Member member : standing) {
                    member.pod().ifPresent(pod -> draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), 30)));
                }
            }
        }
    }
}
