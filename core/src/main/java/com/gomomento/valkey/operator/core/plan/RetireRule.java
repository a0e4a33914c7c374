package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Gap: something of a member remains that is lost, surplus, or was made before the first slot from inputs that no longer
 * hold.
 *
 * <p>Action: delete its ended pod; once the pod's UID is gone and no live view lists its id, delete its ValkeyNode. Surplus
 * replicas' pods are deleted while their primary is live, those first that hold no full copy.
 *
 * <p>Evidence: a pod is deleted only if its processes have ended, if no slot was ever claimed, or if it is a replica beyond
 * the wish whose primary answers (invariants S3, S6, S8).
 */
final class RetireRule implements Rule {

    private static final int GRACE_SECONDS = 30;

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Member member : situation.members.values()) {
            if (member.lost()) {
                retireLost(member, situation, draft);
            } else if (situation.disposable(member)) {
                retireUnused(member, draft);
            }
        }
        situation.shards.values().forEach(shard -> retireSurplus(shard, situation, draft));
    }

    private static void retireLost(Member member, Situation situation, Draft draft) {
        if (member.pod().isPresent()) {
            PodView pod = member.pod().get();
            if (pod.finished() && !pod.terminating() && !BootstrapFailure.keep(situation, pod)) {
                draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), 0));
            }
            return;
        }
        boolean successorExists = situation.superseded.contains(member.name()) || notNeeded(member, situation);
        if (Situation.recorded(member) && successorExists && !listedAnywhere(member, situation)) {
            draft.act(new KubernetesAction.DeleteRecord(
                    member.name(), member.record().uid()));
        }
    }

    private static void retireUnused(Member member, Draft draft) {
        if (member.pod().isPresent()) {
            PodView pod = member.pod().get();
            draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), 0));
        } else if (Situation.recorded(member)) {
            draft.act(new KubernetesAction.DeleteRecord(
                    member.name(), member.record().uid()));
        }
    }

    private static void retireSurplus(Shard shard, Situation situation, Draft draft) {
        Optional<Member> owner = shard.owner();
        int surplus = shard.standing().size() - situation.spec.membersPerShard();
        if (!situation.formed() || owner.isEmpty() || surplus <= 0) {
            return;
        }
        List<Member> victims = shard.standing().stream()
                .filter(member -> !member.equals(owner.get()) && !member.ownsSlots())
                .sorted(Comparator.comparing(RetireRule::inSync)
                        .thenComparing(Member::ordinal, Comparator.reverseOrder()))
                .limit(surplus)
                .toList();
        for (Member victim : victims) {
            draft.because(Reason.Kind.PROGRESS, "removing surplus replica " + victim.name());
            victim.pod()
                    .ifPresent(pod -> draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), GRACE_SECONDS)));
        }
    }

    private static boolean inSync(Member member) {
        return member.answer()
                .flatMap(answer -> answer.replication())
                .filter(link -> link.up())
                .isPresent();
    }

    /** Whether the shard is full without this member, so that its ValkeyNode need not wait for a successor. */
    private static boolean notNeeded(Member member, Situation situation) {
        Shard shard = situation.shards.get(member.shard());
        return shard == null
                || member.shard().index() >= situation.shardCount()
                || shard.standing().size() >= situation.spec.membersPerShard();
    }

    private static boolean listedAnywhere(Member member, Situation situation) {
        Optional<NodeId> id = member.record().status().nodeId();
        return id.isPresent()
                && situation.answers().stream().anyMatch(answer -> answer.view().lists(id.get()));
    }
}
