package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.port.Journal;
import java.util.List;

/**
 * Gap: a live member that owns no slot does not follow the owner of its shard.
 *
 * <p>Action: make it follow. A new member always comes as a replica of whoever owns the shard now.
 *
 * <p>Evidence: the owner says itself that it serves the shard, and every live view knows both, so that nobody drops the news
 * of the new role (else a peer would later refuse its election: "it is a primary node").
 *
 * <p>A shard whose owner is lost while replicas live is left to the engine's own election.
 */
final class FollowRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        List<Reachable> answers = situation.answers();
        for (Shard shard : situation.shards.values()) {
            if (shard.owner().isEmpty()) {
                tellOfElection(shard, situation, draft);
                continue;
            }
            Member owner = shard.owner().orElseThrow();
            NodeId ownerId = owner.nodeId().orElseThrow();
            for (Member member : shard.live()) {
                if (!member.equals(owner) && !member.ownsSlots() && !follows(member, ownerId)) {
                    draft.because(Reason.Kind.PROGRESS, member.name() + " is to follow " + owner.name());
                    if (answers.stream().allMatch(view -> knows(view, ownerId, member))) {
                        draft.act(new ValkeyAction.Replicate(
                                member.name(), member.nodeId().orElseThrow(), ownerId));
                    }
                }
            }
        }
    }

    private static void tellOfElection(Shard shard, Situation situation, Draft draft) {
        List<Member> replicas = shard.live().stream()
                .filter(member ->
                        member.answer().flatMap(a -> a.self().primary()).isPresent())
                .toList();
        if (!situation.served() || replicas.isEmpty()) {
            return;
        }
        draft.because(
                Reason.Kind.UNSERVED,
                "shard " + shard.id().index() + " has no primary, waiting for the election of one of its "
                        + replicas.size() + " replicas");
        draft.tellOnce(
                "shard " + shard.id().index(),
                "waiting",
                Journal.Level.INFO,
                "operator.controller.failover",
                "primary unhealthy but replicas exist, waiting for auto-failover",
                "shard",
                shard.id().index(),
                "replicas",
                replicas.size());
    }

    private static boolean follows(Member member, NodeId owner) {
        return member.answer()
                .flatMap(answer -> answer.self().primary())
                .filter(owner::equals)
                .isPresent();
    }

    private static boolean knows(Reachable view, NodeId owner, Member member) {
        return view.view().knows(owner)
                && member.nodeId().filter(view.view()::knows).isPresent();
    }
}
