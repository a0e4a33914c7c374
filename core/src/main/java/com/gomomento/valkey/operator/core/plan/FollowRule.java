package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import java.util.Optional;

/**
 * Gap: a live member that owns no slot does not follow the member that leads its shard.
 *
 * <p>Action: make it follow. A new member always comes as a replica of whoever owns the shard now; in a shard that is to
 * receive its first slots, of the one that will.
 *
 * <p>Evidence: the leader says itself that it serves the shard, or no view gives the shard a slot; and every live view knows
 * both, so that nobody drops the news of the new role (else a peer would later refuse its election: "it is a primary node").
 *
 * <p>Guard: the node owns no slot and knows whom it is to follow.
 *
 * <p>Invariants: S3.
 */
final class FollowRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Shard shard : situation.shards.values()) {
            if (shard.lead().isEmpty() || (shard.owner().isEmpty() && !situation.complete)) {
                continue;
            }
            Member lead = shard.lead().orElseThrow();
            for (Member member : shard.live()) {
                if (!member.is(lead)
                        && situation.believedSlots(member.liveId()).isEmpty()
                        && !member.follows().equals(Optional.of(lead.liveId()))) {
                    draft.because(Reason.Kind.PROGRESS, member.name() + " is to follow " + lead.name());
                    if (knownToAll(lead.liveId(), situation) && knownToAll(member.liveId(), situation)) {
                        draft.act(new ValkeyAction.Replicate(member.name(), member.liveId(), lead.liveId()));
                    }
                }
            }
        }
    }

    private static boolean knownToAll(NodeId id, Situation situation) {
        return situation.views.stream().allMatch(view -> view.beliefs().knows(id));
    }
}
