package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.port.Journal;
import java.util.Comparator;
import java.util.List;

/**
 * Gap: slots have no owner in any view.
 *
 * <p>Action: note that the cluster is about to hold data; then let one member of each shard without slots claim a share of
 * them, each with an epoch of its own. Where every shard has slots already, the one with the fewest claims the rest.
 *
 * <p>Evidence: every expected member has reported, and no view gives any of these slots an owner. While a cluster is formed,
 * that is every member of the wish; later, every member that stands and may have been told anything, and at least one of
 * each shard. Before the first slot, nothing was ever introduced to anything, so claims come first and introductions after.
 *
 * <p>Guard: the node is a primary and gives none of the slots an owner.
 *
 * <p>Invariants: S1, S11, S17.
 */
final class ClaimRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        SlotSet free = situation.free;
        if (free.isEmpty() || !everyMemberReported(situation)) {
            return;
        }
        if (!situation.formed()) {
            draft.because(Reason.Kind.PROGRESS, "every node runs, assigning slots");
            draft.act(new KubernetesAction.MarkFormed());
            return;
        }
        if (situation.served()) {
            tellLoss(free, draft);
        }
        draft.because(
                Reason.Kind.UNSERVED, free.size() + " of " + SlotSet.COUNT + " slots have no owner, assigning them");
        claim(situation, draft, free);
    }

    /** Whoever had these slots is in no view any more, and the data with them. */
    private static void tellLoss(SlotSet free, Draft draft) {
        boolean all = free.equals(SlotSet.ALL);
        String sentence = all
                ? "all nodes were lost with their data; the cluster comes back empty"
                : free.size() + " slots have no owner left, their data is gone";
        draft.because(Reason.Kind.UNSERVED, sentence);
        draft.lost(sentence);
        draft.tellOnce(
                "slots",
                free.toString(),
                Journal.Level.WARN,
                "operator.controller.bootstrap",
                all
                        ? "all nodes were lost with their data, forming an empty cluster"
                        : "slots have no owner left, they come back empty",
                "slots",
                free.size());
    }

    private static void claim(Situation situation, Draft draft, SlotSet free) {
        List<Shard> led = situation.shards.values().stream()
                .filter(shard -> shard.wanted() && shard.lead().isPresent())
                .toList();
        List<Shard> empty =
                led.stream().filter(shard -> shard.owner().isEmpty()).toList();
        List<Shard> claimants = empty.isEmpty()
                ? led.stream()
                        .min(Comparator.comparingInt(shard -> shard.slots().size()))
                        .stream()
                        .toList()
                : empty;
        long epochBase = situation.answers.stream()
                .mapToLong(Reachable::currentEpoch)
                .max()
                .orElse(0);
        SlotSet rest = free;
        for (int i = 0; i < claimants.size(); i++) {
            SlotSet share = rest.first(share(free.size(), i, claimants.size()));
            rest = rest.minus(share);
            Shard shard = claimants.get(i);
            Member member = shard.lead().orElseThrow();
            if (!share.isEmpty()) {
                draft.act(new ValkeyAction.ClaimSlots(
                        member.name(),
                        member.liveId(),
                        share,
                        new ConfigEpoch(epochBase + 1 + shard.id().index())));
            }
        }
    }

    /** Sizes of even shares that add up to {@code slots}. */
    private static int share(int slots, int index, int shares) {
        return (int) ((long) (index + 1) * slots / shares - (long) index * slots / shares);
    }

    /**
     * A shard of which nobody is live may have a member that was just told to claim and is not seen yet, so that each shard
     * must be heard before any is given what seems to be free.
     */
    private static boolean everyMemberReported(Situation situation) {
        int least = situation.served() ? 1 : situation.spec.membersPerShard();
        return situation.members.values().stream()
                        .filter(member -> !member.lost())
                        .noneMatch(member -> situation.disposable(member) || unheard(member))
                && situation.shards.values().stream()
                        .filter(Shard::wanted)
                        .allMatch(shard ->
                                shard.lead().isPresent() && shard.live().size() >= least);
    }

    /** Whether it does not answer and may have been told something. */
    private static boolean unheard(Member member) {
        return !member.live() && member.pod().flatMap(PodView::ip).isPresent();
    }
}
