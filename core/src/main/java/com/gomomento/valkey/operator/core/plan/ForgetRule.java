package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Gap: a live view lists an id that is no member any more.
 *
 * <p>Action: forget it, on every live node that lists it. A removed id that comes back is removed again (invariant S8).
 *
 * <p>Evidence: the pod that had the id is gone from Kubernetes by its UID (S8), or no pod of ours can be behind it and the
 * view can't reach it (S9); no view gives it a slot (S6), nobody follows it (S7), and it is in no handshake (S9).
 */
final class ForgetRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        List<Reachable> answers = situation.answers();
        Map<NodeId, List<MemberBelief>> beliefs = Agreement.beliefsById(answers);
        Set<NodeId> standing = situation.standingById().keySet();
        Set<NodeId> followed = Agreement.followed(answers);
        Map<NodeId, Member> lost = lostById(situation);
        beliefs.forEach((id, lines) -> {
            boolean inUse = followed.contains(id)
                    || lines.stream().anyMatch(line -> !line.slots().isEmpty());
            if (standing.contains(id) || inUse || !dead(id, lines, lost, situation)) {
                return;
            }
            Optional<NodeName> was = Optional.ofNullable(lost.get(id)).map(Member::name);
            draft.because(
                    Reason.Kind.PROGRESS,
                    "forgetting " + was.map(name -> "lost node " + name).orElse("node " + id + ", which is no member"));
            for (Member teller : situation.live()) {
                Reachable view = teller.answer().orElseThrow();
                if (view.view().lists(id)) {
                    draft.act(new ValkeyAction.Forget(teller.name(), view.id(), id, was, false));
                }
            }
        });
    }

    private static Map<NodeId, Member> lostById(Situation situation) {
        Map<NodeId, Member> lost = new TreeMap<>();
        situation.members.values().stream()
                .filter(Member::lost)
                .forEach(member -> member.record().status().nodeId().ifPresent(id -> lost.put(id, member)));
        return lost;
    }

    private static boolean dead(NodeId id, List<MemberBelief> lines, Map<NodeId, Member> lost, Situation situation) {
        Member member = lost.get(id);
        if (member != null) {
            return member.pod().isEmpty();
        }
        boolean unreachable =
                lines.stream().allMatch(line -> line.health() != MemberBelief.Health.OK || !line.linkUp());
        return unreachable && lines.stream().noneMatch(line -> mayBeOurs(line, situation));
    }

    /** Whether a pod that has not told its id yet may be the one behind this line. */
    private static boolean mayBeOurs(MemberBelief line, Situation situation) {
        return situation.members.values().stream()
                .filter(member -> !member.live() && member.pod().isPresent())
                .anyMatch(member -> sameAddress(line, member) || sameHost(line, member));
    }

    private static boolean sameAddress(MemberBelief line, Member member) {
        return line.ip().isPresent() && line.ip().equals(member.pod().flatMap(pod -> pod.ip()));
    }

    private static boolean sameHost(MemberBelief line, Member member) {
        return line.hostname()
                .filter(host -> host.startsWith(member.name() + "."))
                .isPresent();
    }
}
