package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import java.util.Map;
import java.util.Optional;

/**
 * Whether all live members tell the same story. Each member's line about itself is compared with every view's line about it;
 * a cluster is whole only if no two of them differ.
 */
final class Agreement {

    private Agreement() {}

    /** The first difference found, as a sentence, or empty when all agree. */
    static Optional<String> firstDifference(Situation situation) {
        for (View view : situation.views) {
            Optional<String> difference = differenceIn(view, situation.standingById);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return situation.live.stream()
                .flatMap(member -> ownTrouble(member).stream())
                .findFirst();
    }

    private static Optional<String> differenceIn(View view, Map<NodeId, Member> members) {
        Member teller = view.tellers().getFirst();
        for (Map.Entry<NodeId, Member> entry : members.entrySet()) {
            Member subject = entry.getValue();
            if (!view.beliefs().knows(entry.getKey())) {
                return Optional.of(teller.name() + " does not know " + subject.name() + " yet");
            }
            MemberBelief belief = view.beliefs().of(entry.getKey()).orElseThrow();
            Optional<String> difference = subject.answer().flatMap(self -> compare(belief, self, teller, subject));
            if (difference.isPresent()) {
                return difference;
            }
        }
        for (MemberBelief belief : view.beliefs().all()) {
            if (!members.containsKey(belief.id())) {
                return Optional.of(teller.name() + " still lists node " + belief.id() + ", which is no member");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> compare(MemberBelief belief, Reachable answer, Member teller, Member subject) {
        MemberBelief self = answer.self();
        if (belief.health() != Health.OK || !belief.linkUp()) {
            return Optional.of(teller.name() + " has no link to " + subject.name());
        }
        if (belief.role() != answer.role()) {
            return Optional.of(teller.name() + " does not see " + subject.name() + " as a "
                    + answer.role().word() + " yet");
        }
        if (!belief.primary().equals(self.primary())) {
            return Optional.of(teller.name() + " does not see whom " + subject.name() + " follows yet");
        }
        if (!belief.slots().equals(self.slots())) {
            return Optional.of(teller.name() + " does not see the slots of " + subject.name() + " yet");
        }
        return Optional.empty();
    }

    private static Optional<String> ownTrouble(Member teller) {
        Reachable answer = teller.answer().orElseThrow();
        if (!answer.self().openSlots().isEmpty()) {
            return Optional.of(teller.name() + " has open slots, the first is "
                    + answer.self().openSlots().getFirst());
        }
        if (!answer.clusterOk()) {
            return Optional.of(teller.name() + " does not serve yet: it reports cluster_state:fail");
        }
        if (answer.role() == Role.REPLICA && !teller.inSync()) {
            return Optional.of("replica " + teller.name() + " is not in sync with its primary yet");
        }
        return Optional.empty();
    }

    /** Whether every live member sees {@code member} in the role that it is to have under {@code owner}, in sync. */
    static boolean acceptedByAll(Member member, Member owner, Situation situation) {
        Optional<NodeId> id = member.answer().map(Reachable::id);
        boolean isOwner = member.is(owner);
        return id.isPresent()
                && (isOwner || member.inSync())
                && situation.views.stream()
                        .allMatch(view -> view.beliefs()
                                .of(id.get())
                                .filter(belief -> !belief.handshake()
                                        && belief.role() == (isOwner ? Role.PRIMARY : Role.REPLICA)
                                        && (isOwner || belief.primary().equals(owner.nodeId())))
                                .isPresent());
    }

    /**
     * Whether a shard can be touched: its owner is live and every view gives it just the slots that it claims; every seat is
     * filled, and who sits there is live, in sync and accepted by all.
     */
    static boolean inOrder(Shard shard, Situation situation) {
        if (shard.lead().isEmpty()) {
            return false;
        }
        Member lead = shard.lead().get();
        return slotsAgreed(lead, situation)
                && shard.filledSeats().size() >= situation.spec.membersPerShard()
                && shard.standing().stream().allMatch(member -> acceptedByAll(member, lead, situation));
    }

    /** Whether every view gives a live member just the slots that it claims. */
    static boolean slotsAgreed(Member member, Situation situation) {
        MemberBelief self = member.answer().orElseThrow().self();
        return situation.views.stream()
                .allMatch(view -> view.beliefs()
                        .of(self.id())
                        .filter(belief -> belief.slots().equals(self.slots()))
                        .isPresent());
    }
}
