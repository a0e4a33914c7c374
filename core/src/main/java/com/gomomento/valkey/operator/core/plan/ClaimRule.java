package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.port.Journal;
import java.util.List;
import java.util.Optional;

/**
 * Gap: slots have no owner in any view.
 *
 * <p>Action: note that the cluster is about to hold data (invariant S17); then let one member of each shard without an owner
 * claim the shard's share, each with an epoch of its own (S11).
 *
 * <p>Evidence: every expected member has reported, and no view gives any of these slots an owner (S1). Before the first
 * slot, nothing was ever introduced to anything, so claims come first and introductions after.
 */
final class ClaimRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!everyMemberReported(situation)) {
            return;
        }
        SlotSet free = SlotSet.ALL.minus(Agreement.ownedInAnyView(situation.answers()));
        if (free.isEmpty()) {
            return;
        }
        if (!situation.formed()) {
            draft.because(Reason.Kind.PROGRESS, "every node runs, assigning slots");
            draft.act(new KubernetesAction.MarkFormed());
            return;
        }
        if (situation.served() && free.equals(SlotSet.ALL)) {
            draft.tell(
                    Journal.Level.WARN,
                    "operator.controller.bootstrap",
                    "all nodes were lost with their data, forming an empty cluster");
        }
        draft.because(
                Reason.Kind.UNSERVED, free.size() + " of " + SlotSet.COUNT + " slots have no owner, assigning them");
        claim(situation, draft, free);
    }

    private static void claim(Situation situation, Draft draft, SlotSet free) {
        List<Shard> ownerless = situation.shards.values().stream()
                .filter(shard -> shard.owner().isEmpty())
                .toList();
        List<Shard> claimants = ownerless.isEmpty() ? List.copyOf(situation.shards.values()) : ownerless;
        long epochBase = situation.answers().stream()
                .mapToLong(Reachable::currentEpoch)
                .max()
                .orElse(0);
        SlotSet rest = free;
        for (int i = claimants.size() - 1; i >= 0; i--) {
            Shard shard = claimants.get(i);
            SlotSet share = SlotSet.share(shard.id().index(), situation.shardCount());
            // What belongs to nobody's share goes to the first, so that every slot is claimed.
            SlotSet claimed = i == 0 ? rest : rest.minus(SlotSet.ALL.minus(share));
            rest = rest.minus(claimed);
            claimant(shard).ifPresent(member -> {
                if (!claimed.isEmpty()) {
                    ConfigEpoch epoch =
                            new ConfigEpoch(epochBase + 1 + shard.id().index());
                    draft.act(new ValkeyAction.ClaimSlots(
                            member.name(), member.nodeId().orElseThrow(), claimed, epoch));
                }
            });
        }
    }

    private static Optional<Member> claimant(Shard shard) {
        Optional<Member> owner = shard.owner();
        return owner.isPresent()
                ? owner
                : shard.live().stream()
                        .filter(member ->
                                member.role().filter(Role.PRIMARY::equals).isPresent())
                        .findFirst();
    }

    static boolean everyMemberReported(Situation situation) {
        return situation.shards.values().stream().allMatch(shard -> {
            List<Member> standing = shard.standing();
            return standing.size() >= situation.spec.membersPerShard()
                    && standing.stream().allMatch(member -> member.live() && !situation.disposable(member));
        });
    }
}
