package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether all live members tell the same story. Each member's line about itself is compared with every other member's line
 * about it; a cluster is whole only if no two of them differ.
 */
final class Agreement {

    private Agreement() {}

    /**
     * The first difference found, as a sentence, or empty when all agree.
     *
     * @param members all that are not lost, by id
     */
    static Optional<String> firstDifference(Map<NodeId, Member> members) {
        for (Member teller : members.values()) {
            Optional<String> difference = teller.answer().flatMap(view -> differenceIn(view, teller, members));
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> differenceIn(Reachable view, Member teller, Map<NodeId, Member> members) {
        for (Map.Entry<NodeId, Member> entry : members.entrySet()) {
            MemberBelief belief = view.view().byId().get(entry.getKey());
            Member subject = entry.getValue();
            if (belief == null || belief.handshake()) {
                return Optional.of(teller.name() + " does not know " + subject.name() + " yet");
            }
            Optional<String> difference = subject.answer().flatMap(self -> compare(belief, self, teller, subject));
            if (difference.isPresent()) {
                return difference;
            }
        }
        for (MemberBelief belief : view.view().all()) {
            if (!members.containsKey(belief.id())) {
                return Optional.of(teller.name() + " still lists node " + belief.id() + ", which is no member");
            }
        }
        return replicationDifference(view, teller);
    }

    private static Optional<String> compare(MemberBelief belief, Reachable self, Member teller, Member subject) {
        if (belief.health() != MemberBelief.Health.OK || !belief.linkUp()) {
            return Optional.of(teller.name() + " has no link to " + subject.name());
        }
        if (belief.role() != self.role()) {
            return Optional.of(
                    teller.name() + " does not see " + subject.name() + " as a " + word(self.role()) + " yet");
        }
        if (!belief.primary().equals(self.self().primary())) {
            return Optional.of(teller.name() + " does not see whom " + subject.name() + " follows yet");
        }
        if (!belief.slots().equals(self.self().slots())) {
            return Optional.of(teller.name() + " does not see the slots of " + subject.name() + " yet");
        }
        return Optional.empty();
    }

    private static Optional<String> replicationDifference(Reachable view, Member teller) {
        if (!view.self().openSlots().isEmpty()) {
            return Optional.of(teller.name() + " has open slots: "
                    + view.self().openSlots().stream().map(OpenSlot::toString).collect(Collectors.joining(" ")));
        }
        if (!view.clusterOk()) {
            return Optional.of(teller.name() + " does not serve yet: it reports cluster_state:fail");
        }
        if (view.role() == Role.REPLICA
                && !view.replication().map(link -> link.up()).orElse(false)) {
            return Optional.of("replica " + teller.name() + " is not in sync with its primary yet");
        }
        return Optional.empty();
    }

    /** Whether every live member sees {@code member} in the role that it is to have under {@code owner}, in sync. */
    static boolean acceptedByAll(Member member, Member owner, Collection<Member> live) {
        NodeId id = member.nodeId().orElseThrow();
        boolean isOwner = member.equals(owner);
        boolean inSync = isOwner
                || member.answer()
                        .flatMap(Reachable::replication)
                        .filter(link -> link.up())
                        .isPresent();
        return inSync
                && live.stream().flatMap(teller -> teller.answer().stream()).allMatch(view -> {
                    MemberBelief belief = view.view().byId().get(id);
                    return belief != null
                            && !belief.handshake()
                            && belief.role() == (isOwner ? Role.PRIMARY : Role.REPLICA)
                            && (isOwner || belief.primary().equals(owner.nodeId()));
                });
    }

    /** Slots that have an owner in at least one of the views; a slot outside may be claimed (invariant S1). */
    static SlotSet ownedInAnyView(Collection<Reachable> answers) {
        SlotSet owned = SlotSet.EMPTY;
        for (Reachable answer : answers) {
            for (MemberBelief belief : answer.view().all()) {
                if (!belief.slots().isEmpty() && !owned.containsAll(belief.slots())) {
                    owned = owned.plus(belief.slots());
                }
            }
        }
        return owned;
    }

    /** Slots of which their owner itself says that it serves them. */
    static SlotSet served(Collection<Member> members) {
        SlotSet served = SlotSet.EMPTY;
        for (Member member : members) {
            if (member.ownsSlots()) {
                served = served.plus(member.answer().orElseThrow().self().slots());
            }
        }
        return served;
    }

    /** Every id that stands in a view, with the views' owners that hold it; handshakes, whose ids are made up, left out. */
    static Map<NodeId, List<MemberBelief>> beliefsById(Collection<Reachable> answers) {
        Map<NodeId, List<MemberBelief>> beliefs = new TreeMap<>();
        for (Reachable answer : answers) {
            for (MemberBelief belief : answer.view().all()) {
                if (!belief.handshake()) {
                    beliefs.computeIfAbsent(belief.id(), id -> new ArrayList<>())
                            .add(belief);
                }
            }
        }
        return beliefs;
    }

    /** Ids of all that some view still follows. */
    static Set<NodeId> followed(Collection<Reachable> answers) {
        Set<NodeId> followed = new TreeSet<>();
        for (Reachable answer : answers) {
            answer.self().primary().ifPresent(followed::add);
        }
        return followed;
    }

    private static String word(Role role) {
        return switch (role) {
            case PRIMARY -> "primary";
            case REPLICA -> "replica";
        };
    }
}
