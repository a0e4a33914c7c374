package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Gap: views give slots to a node that is dead, and no copy of its data is left.
 *
 * <p>Action: forget it everywhere with its slots, so that they can be claimed anew and served, empty. Replicas that never
 * received its data are removed first, since a node can't forget whom it follows. That the data is gone is told by journal,
 * message and condition.
 *
 * <p>Evidence: Kubernetes says that the pod of the node has ended or is gone, or no pod of ours can be the node. Every other
 * member of its shard that stands has answered, and none of them holds a copy; a member that is silent or still starting may
 * be one that does, and is waited for.
 *
 * <p>Guard: the node that forgets has no link to the forgotten one, and is not left in a minority without it.
 *
 * <p>Invariants: S3, S6, S8, S9.
 */
final class LostShardRule implements Rule {

    private static final Duration NOTICE_POLL = Duration.ofMillis(200);

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!situation.formed()) {
            return;
        }
        situation.believedOwners().forEach((id, slots) -> {
            Optional<Member> dead = Optional.ofNullable(situation.lostById.get(id));
            boolean candidate = !situation.served.containsAll(slots) && !situation.standingById.containsKey(id);
            if (candidate && dead.map(Member::ended).orElse(true) && noCopyLeft(id, dead, situation, draft)) {
                giveUp(id, slots, dead, situation, draft);
            }
        });
    }

    private static boolean noCopyLeft(NodeId id, Optional<Member> dead, Situation situation, Draft draft) {
        boolean copied = situation.live.stream()
                .anyMatch(member -> member.follows().filter(id::equals).isPresent() && member.holdsCopy());
        if (copied) {
            return false;
        }
        // Of a node whose ValkeyNode is gone, too, nobody knows the shard: it may be any pod that has not told its id.
        Optional<Member> unheard = situation.members.values().stream()
                .filter(member ->
                        dead.map(known -> known.shard().equals(member.shard())).orElse(true))
                .filter(member -> member.silent()
                        || (member.vitality() == Member.Vitality.STARTING
                                && (member.pod().flatMap(PodView::ip).isPresent() || isNamed(id, member, situation))))
                .findFirst();
        unheard.ifPresent(member -> draft.because(
                Reason.Kind.UNSERVED,
                place(id, dead) + " has no primary; waiting to hear from " + member.name()
                        + ", which may hold its data"));
        return unheard.isEmpty();
    }

    /** Whether peers know the node by the name of this pod: then it runs, however old the news of its pod are. */
    private static boolean isNamed(NodeId id, Member member, Situation situation) {
        return situation.views.stream()
                .flatMap(view -> view.beliefs().of(id).stream())
                .anyMatch(line -> Members.hasName(line, member));
    }

    private static String place(NodeId id, Optional<Member> dead) {
        return dead.map(member -> "shard " + member.shard().index())
                .orElse("what node " + id + ", of which nothing is left, served");
    }

    private static void giveUp(NodeId id, SlotSet slots, Optional<Member> dead, Situation situation, Draft draft) {
        String sentence = "every copy of " + place(id, dead) + " was lost: the data of " + slots.size()
                + " slots is gone, they come back empty";
        draft.because(Reason.Kind.UNSERVED, sentence);
        draft.lost(sentence);
        draft.tellOnce(
                id.value(),
                "lost",
                Journal.Level.WARN,
                "operator.controller.failover",
                "every copy of a shard was lost, its slots come back empty",
                "slots",
                slots.size(),
                "node",
                dead.map(member -> member.name().value()).orElse(id.value()));
        List<Member> empty = situation.live.stream()
                .filter(member -> member.follows().filter(id::equals).isPresent())
                .toList();
        for (Member member : empty) {
            PodView pod = member.pod().orElseThrow();
            draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), 0));
        }
        for (Member teller : situation.live) {
            Reachable answer = teller.answer().orElseThrow();
            if (empty.contains(teller) || !answer.view().lists(id)) {
                continue;
            }
            if (Guards.dead(answer, id) && Guards.keepsMajority(answer, id) && !draft.forgetsOwnerOn(teller.name())) {
                draft.act(new ValkeyAction.Forget(teller.name(), teller.liveId(), id, dead.map(Member::name), true));
            } else {
                // It has not noticed yet, or others are to be forgotten first; the node time-out settles both.
                draft.wakeWithin(NOTICE_POLL);
            }
        }
    }
}
