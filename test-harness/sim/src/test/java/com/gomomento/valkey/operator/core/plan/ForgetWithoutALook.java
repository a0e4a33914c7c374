package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Optional;

/** A node whose pod has ended is forgotten as an empty one, without a look at the slots that the others still give it. */
final class ForgetWithoutALook implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        situation.lostById.forEach((dead, member) -> {
            boolean followed = situation.followed.contains(dead);
            boolean gone = member.pod().map(PodView::finished).orElse(true);
            for (Member teller : situation.live) {
                if (gone && !followed && teller.answer().orElseThrow().view().lists(dead)) {
                    draft.act(new ValkeyAction.Forget(
                            teller.name(), teller.liveId(), dead, Optional.of(member.name()), false));
                }
            }
        });
    }
}
