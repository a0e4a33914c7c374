package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.List;
import java.util.function.Predicate;

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
        outdated(
                situation,
                pod -> !situation.currentTemplate(pod),
                draft,
                "run with an earlier image, configuration or placement",
                "this version does not roll a cluster");
        outdated(
                situation,
                pod -> !situation.currentAccess(pod),
                draft,
                "run with earlier users",
                "this version does not reload users");
    }

    private static void outdated(
            Situation situation, Predicate<PodView> differs, Draft draft, String how, String limit) {
        List<Member> members = situation.members.values().stream()
                .filter(member -> !member.lost())
                .filter(member -> member.pod().filter(differs).isPresent())
                .toList();
        if (!members.isEmpty()) {
            draft.because(
                    Reason.Kind.UNSUPPORTED,
                    members.size() + " of " + situation.members.size() + " nodes " + how + ", the first is "
                            + members.getFirst().name() + "; " + limit);
        }
    }
}
