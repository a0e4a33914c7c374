package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whoever is in a view and not in the operator's own list is taken for a leftover and forgotten: also a newcomer whose
 * handshake is under way, and whose entry therefore has a made-up id.
 */
final class ForgetDuringHandshake implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        Set<NodeId> listed = situation.members.values().stream()
                .flatMap(member -> member.record().status().nodeId().stream())
                .collect(Collectors.toSet());
        for (Member teller : situation.live) {
            for (MemberBelief line : teller.answer().orElseThrow().view().all()) {
                if (!listed.contains(line.id()) && !line.id().equals(teller.liveId())) {
                    draft.act(new ValkeyAction.Forget(
                            teller.name(), teller.liveId(), line.id(), Optional.empty(), false));
                }
            }
        }
    }
}
