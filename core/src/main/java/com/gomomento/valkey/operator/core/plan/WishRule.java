package com.gomomento.valkey.operator.core.plan;

import java.util.List;

/**
 * Gap: members run with earlier users than the wish has.
 *
 * <p>Action: none; it is told and left undone, and nothing that runs is touched.
 *
 * <p>Evidence: the annotation of the pod.
 *
 * <p>Guard: none is needed.
 *
 * <p>Invariants: S16, S18.
 */
final class WishRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!situation.formed()) {
            return;
        }
        List<Member> members = situation.members.values().stream()
                .filter(member -> !member.lost())
                .filter(member -> member.pod()
                        .filter(pod -> !situation.currentAccess(pod))
                        .isPresent())
                .toList();
        if (!members.isEmpty()) {
            draft.because(
                    Reason.Kind.UNSUPPORTED,
                    members.size() + " of " + situation.members.size() + " nodes run with earlier users, the first is "
                            + members.getFirst().name() + "; this version does not reload users");
        }
    }
}
