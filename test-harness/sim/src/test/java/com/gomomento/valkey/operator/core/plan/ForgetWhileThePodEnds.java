package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Optional;

/**
 * A node is forgotten as soon as its pod is being deleted. Until the process has really ended its gossip brings it back, and
 * the others list it for ever.
 */
final class ForgetWhileThePodEnds implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        situation.lostById.forEach((leaving, member) -> {
            boolean ends = member.pod().filter(PodView::terminating).isPresent();
            boolean used = situation.followed.contains(leaving)
                    || !situation.believedSlots(leaving).isEmpty();
            for (Member teller : situation.live) {
                if (ends && !used && teller.answer().orElseThrow().view().lists(leaving)) {
                    draft.act(new ValkeyAction.Forget(
                            teller.name(), teller.liveId(), leaving, Optional.of(member.name()), false));
                }
            }
        });
    }
}
