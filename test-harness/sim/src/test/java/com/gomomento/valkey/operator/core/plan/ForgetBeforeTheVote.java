package com.gomomento.valkey.operator.core.plan;

import java.util.Optional;

/**
 * A node whose pod has ended is forgotten at once, slots and all. If it was a primary, its replicas need the others to know it:
 * who has forgotten a primary does not vote for its successor.
 */
final class ForgetBeforeTheVote implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        situation.lostById.forEach((dead, member) -> {
            for (Member teller : situation.live) {
                if (member.ended()
                        && teller.answer().orElseThrow().view().lists(dead)
                        && !teller.follows().equals(Optional.of(dead))) {
                    draft.act(new ValkeyAction.Forget(teller.name(), teller.liveId(), dead, Optional.empty(), true));
                }
            }
        });
    }
}
