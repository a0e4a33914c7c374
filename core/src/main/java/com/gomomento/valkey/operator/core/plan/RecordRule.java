package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gap: what is written on a ValkeyNode or on a pod is not what was observed or wished.
 *
 * <p>Action: write the ValkeyNode's status; set the pod's stable labels, its role label and the user's annotations, and on a pod
 * of an older release of the operator the fingerprint of the inputs that it shows. Nothing else of a pod is touched, and nothing
 * is removed from it. A cluster of such a release is marked as formed.
 *
 * <p>Evidence: the observation; what could not be seen now keeps its last value.
 *
 * <p>Guard: the object's UID.
 *
 * <p>Invariants: S14, S18.
 */
final class RecordRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        if (situation.formed() && situation.declaration.formedAt().isEmpty()) {
            draft.act(new KubernetesAction.MarkFormed());
        }
        for (Member member : situation.members.values()) {
            NodeRecord.Status status = status(member, situation);
            boolean stays = Members.recorded(member) && !draft.deletesRecord(member.name());
            if (stays && !status.equals(member.record().status())) {
                draft.act(new KubernetesAction.WriteRecordStatus(
                        member.name(), member.record().uid(), status));
            }
            if (!member.lost()) {
                member.pod().ifPresent(pod -> mark(member, pod, situation, draft));
            }
        }
    }

    /** What the ValkeyNode is to say; what could not be seen now keeps its last value. */
    static NodeRecord.Status status(Member member, Situation situation) {
        NodeRecord.Status before = member.record().status();
        return new NodeRecord.Status(
                lifecycle(member, situation),
                member.role(),
                before.podUid().or(() -> member.pod().map(PodView::uid)),
                member.pod().flatMap(PodView::ip).or(before::podIp),
                member.nodeId());
    }

    static Lifecycle lifecycle(Member member, Situation situation) {
        if (member.lost() || leaves(member, situation)) {
            return Lifecycle.LEAVING;
        }
        if (member.record().status().lifecycle() == Lifecycle.ACTIVE || joined(member, situation)) {
            return Lifecycle.ACTIVE;
        }
        return Lifecycle.JOINING;
    }

    private static boolean leaves(Member member, Situation situation) {
        Shard shard = situation.shardOf(member);
        return !shard.wanted()
                || shard.seats().stream()
                        .anyMatch(seat -> seat.replaced().stream().anyMatch(member::is));
    }

    private static boolean joined(Member member, Situation situation) {
        return situation
                .shardOf(member)
                .lead()
                .filter(lead ->
                        situation.complete || situation.shardOf(member).owner().isPresent())
                .filter(lead -> Agreement.acceptedByAll(member, lead, situation))
                .isPresent();
    }

    private static void mark(Member member, PodView pod, Situation situation, Draft draft) {
        SortedMap<String, String> labels = Markers.labels(situation.spec.key(), member.shard(), member.name());
        member.role().ifPresent(role -> labels.put(Markers.ROLE, role.word()));
        SortedMap<String, String> annotations = new TreeMap<>(situation.spec.podAnnotations());
        if (situation.adopts(pod)) {
            annotations.put(Markers.TEMPLATE, situation.templateOf(pod.shard()).hex());
        }
        labels.entrySet().removeIf(entry -> same(entry, pod.labels()));
        annotations.entrySet().removeIf(entry -> same(entry, pod.annotations()));
        if (!labels.isEmpty() || !annotations.isEmpty()) {
            draft.act(new KubernetesAction.MarkPod(pod.name(), pod.uid(), labels, annotations));
        }
    }

    private static boolean same(Map.Entry<String, String> entry, Map<String, String> present) {
        return entry.getValue().equals(present.get(entry.getKey()));
    }
}
