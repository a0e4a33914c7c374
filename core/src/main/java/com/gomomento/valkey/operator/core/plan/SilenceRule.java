package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Duration;
import java.time.Instant;

/**
 * Gap: a member's pod runs, but nobody hears its server: it hangs, or its node is cut off.
 *
 * <p>Action: delete its pod, so that it is replaced as any lost member.
 *
 * <p>Evidence: it does not answer the operator for some seconds, and most primaries that serve slots hold that it failed. It
 * serves no slot: if it was a primary, a successor was elected and serves all it had. What nobody else holds is never deleted
 * for being silent; that waits for its return, or for Kubernetes to say that it is gone.
 *
 * <p>Guard: the pod's UID.
 *
 * <p>Invariants: S3, S4, S9, S12.
 */
final class SilenceRule implements Rule {

    /** A pause of the operator's own network or of a loaded node is over by then. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Enough for the kubelet to say that the process has ended; one that hangs does not use it. */
    private static final int GRACE_SECONDS = 1;

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Member member : situation.members.values()) {
            if (!member.silent() || member.nodeId().isEmpty()) {
                continue;
            }
            Instant since = situation.ledger.silentSince().getOrDefault(member.name(), situation.now);
            if (since.plus(PATIENCE).isAfter(situation.now)) {
                draft.wakeBy(since.plus(PATIENCE));
                continue;
            }
            NodeId id = member.nodeId().get();
            if (failedForMost(id, situation) && holdsNothing(id, member, situation)) {
                PodView pod = member.pod().orElseThrow();
                draft.because(
                        Reason.Kind.REPLACING,
                        "replacing node " + member.name() + ", which neither the operator nor its peers can reach");
                draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), GRACE_SECONDS));
            }
        }
    }

    private static boolean failedForMost(NodeId id, Situation situation) {
        long serving = situation.live.stream().filter(Member::ownsSlots).count();
        long convinced = situation.live.stream()
                .filter(Member::ownsSlots)
                .filter(member -> member.answer()
                        .flatMap(answer -> answer.view().of(id))
                        .filter(line -> line.health() == MemberBelief.Health.FAILED)
                        .isPresent())
                .count();
        return situation.hasQuorum() && 2 * convinced > serving;
    }

    /** Whether its shard has a live owner, no view gives it a slot, and nobody still follows it. */
    private static boolean holdsNothing(NodeId id, Member member, Situation situation) {
        Shard shard = situation.shardOf(member);
        boolean replaced = shard.owner().filter(Member::serves).isPresent()
                || (!shard.wanted() && situation.served.equals(SlotSet.ALL));
        return replaced && situation.believedSlots(id).equals(SlotSet.EMPTY) && !situation.followed.contains(id);
    }
}
