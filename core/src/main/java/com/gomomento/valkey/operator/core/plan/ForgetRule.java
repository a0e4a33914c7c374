package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Gap: a live view lists an id that is no member any more.
 *
 * <p>Action: forget it, on every live node that lists it. A removed id that comes back is removed again.
 *
 * <p>Evidence: the pod that had the id is gone from Kubernetes by its UID, and it was seen to end or all suspect it;
 * or no pod of ours can be behind the id and all suspect it. No view gives it a slot, nobody follows it, nobody of its
 * shard is silent and might, and it is in no handshake.
 *
 * <p>Guard: the node that forgets gives it no slot and does not follow it; it suspects one of whom nothing is known.
 *
 * <p>Invariants: S6, S7, S8, S9.
 */
final class ForgetRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        beliefsAboutOthers(situation).forEach((id, lines) -> {
            if (situation.followed.contains(id)
                    || !situation.believedSlots(id).isEmpty()
                    || !dead(id, lines, situation)) {
                return;
            }
            Optional<NodeName> was =
                    Optional.ofNullable(situation.lostById.get(id)).map(Member::name);
            draft.because(
                    Reason.Kind.PROGRESS,
                    "forgetting " + was.map(name -> "lost node " + name).orElse("node " + id + ", which is no member"));
            for (Member teller : situation.live) {
                if (teller.answer().orElseThrow().view().lists(id)) {
                    draft.act(new ValkeyAction.Forget(teller.name(), teller.liveId(), id, was, false));
                }
            }
        });
    }

    /** Lines of all views about ids that don't stand; handshakes, whose ids are made up, left out. */
    private static Map<NodeId, List<MemberBelief>> beliefsAboutOthers(Situation situation) {
        Map<NodeId, List<MemberBelief>> beliefs = new TreeMap<>();
        for (View view : situation.views) {
            for (MemberBelief line : view.beliefs().all()) {
                if (!line.handshake() && !situation.standingById.containsKey(line.id())) {
                    beliefs.computeIfAbsent(line.id(), id -> new ArrayList<>()).add(line);
                }
            }
        }
        return beliefs;
    }

    private static boolean dead(NodeId id, List<MemberBelief> lines, Situation situation) {
        Member member = situation.lostById.get(id);
        // A link that is down proves nothing: a node that was just introduced has none yet.
        boolean unreachable = lines.stream().allMatch(line -> line.health() != MemberBelief.Health.OK);
        if (member != null) {
            boolean maybeFollowed = situation.shardOf(member).members().stream().anyMatch(Member::silent);
            return member.pod().isEmpty() && !maybeFollowed && (unreachable || situation.seenToEnd(member));
        }
        return unreachable && lines.stream().noneMatch(line -> mayBeOurs(line, situation));
    }

    /** Whether a pod that has not told its id yet may be the one behind this line. */
    private static boolean mayBeOurs(MemberBelief line, Situation situation) {
        return situation.members.values().stream()
                .filter(member -> !member.live() && member.pod().isPresent())
                .anyMatch(member -> sameAddress(line, member) || Members.hasName(line, member));
    }

    private static boolean sameAddress(MemberBelief line, Member member) {
        return line.ip().isPresent() && line.ip().equals(member.pod().flatMap(pod -> pod.ip()));
    }
}
