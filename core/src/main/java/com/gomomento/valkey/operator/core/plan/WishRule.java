package com.gomomento.valkey.operator.core.plan;

import java.util.List;

/**
 * Gap: the wish differs from what runs in a way that needs data to move or members to be rolled. No action: such a change is
 * told and left undone, and nothing that runs is touched.
 */
final class WishRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!situation.formed()) {
            return;
        }
        if (situation.shardCount() != situation.spec.shards()) {
            draft.because(
                    Reason.Kind.UNSUPPORTED,
                    "spec.shards is " + situation.spec.shards() + " and " + situation.shardCount()
                            + " shards run; this version does not change the number of shards");
        }
        List<Member> outdated = situation.members.values().stream()
                .filter(member -> !member.lost())
                .filter(member ->
                        member.pod().filter(pod -> !situation.current(pod)).isPresent())
                .toList();
        if (!outdated.isEmpty()) {
            draft.because(
                    Reason.Kind.UNSUPPORTED,
                    outdated.size() + " nodes run with an earlier image, configuration or placement, the first is "
                            + outdated.getFirst().name() + "; this version does not roll a cluster");
        }
    }
}
