package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gap: slots are open: a move key by key has stopped half way.
 *
 * <p>Action: finish it, from the source to the target or to whoever succeeded the target. Keys lie on both sides, so a move is
 * never dropped while both sides live; where every copy of the other side is gone, the slots are closed. A replica has its
 * open slots from its primary: those that it awaits are sent to whoever leads its shard now, who may not have heard of them;
 * the rest is its primary's to close.
 *
 * <p>Evidence: the node's own line says that the slots are open; its shard and the other end's have live owners.
 *
 * <p>Guard: as for any move; slots are closed only towards a node that is dead in the node's own view.
 *
 * <p>Invariants: S2, S13.
 */
final class OpenSlotsRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Member member : situation.live) {
            List<OpenSlot> open = member.answer().orElseThrow().self().openSlots();
            if (isPrimary(member)) {
                byPeer(open, true).forEach((peer, slots) -> sendOn(member, peer, slots, situation, draft));
            }
            byPeer(open, false).forEach((peer, slots) -> fetch(member, peer, slots, situation, draft));
        }
    }

    private static SortedMap<NodeId, SlotSet> byPeer(List<OpenSlot> open, boolean outgoing) {
        SortedMap<NodeId, SlotSet> byPeer = new TreeMap<>();
        open.stream()
                .filter(slot -> slot.outgoing() == outgoing)
                .forEach(slot -> byPeer.merge(slot.peer(), SlotSet.of(slot.slot()), SlotSet::plus));
        return byPeer;
    }

    private static void sendOn(Member source, NodeId peer, SlotSet slots, Situation situation, Draft draft) {
        Optional<Member> target = successor(peer, situation);
        if (target.isPresent()) {
            move(source, target.get(), slots, draft);
        } else if (gone(peer, situation)) {
            draft.because(
                    Reason.Kind.PROGRESS, source.name() + " keeps " + slots.size() + " slots whose receiver is dead");
            draft.act(new ValkeyAction.CloseSlots(source.name(), source.liveId(), slots, peer));
        }
    }

    private static void fetch(Member member, NodeId peer, SlotSet slots, Situation situation, Draft draft) {
        Optional<Member> target = isPrimary(member)
                ? Optional.of(member)
                : situation.shardOf(member).lead();
        Optional<Member> source = successor(peer, situation)
                .filter(owner ->
                        slots.and(owner.answer().orElseThrow().self().slots()).equals(slots));
        if (source.isPresent() && target.isPresent()) {
            move(source.get(), target.get(), slots, draft);
        } else if (isPrimary(member)) {
            draft.because(
                    Reason.Kind.PROGRESS,
                    member.name() + " no longer waits for " + slots.size() + " slots that " + peer + " does not own");
            draft.act(new ValkeyAction.CloseSlots(member.name(), member.liveId(), slots, peer));
        }
    }

    /** Both ends, and every replica of theirs, may tell of the same slots. */
    private static void move(Member source, Member target, SlotSet slots, Draft draft) {
        Action move = RebalanceRule.move(source, target, slots, ValkeyAction.MoveSlots.Method.KEY_BY_KEY);
        if (!source.equals(target) && !draft.actions().contains(move)) {
            draft.because(
                    Reason.Kind.PROGRESS,
                    "moving " + slots.size() + " open slots from " + source.name() + " to " + target.name());
            draft.act(move);
        }
    }

    private static boolean isPrimary(Member member) {
        return member.answer().orElseThrow().role() == Role.PRIMARY;
    }

    /** The live owner or leader of the shard that this id belongs to. */
    private static Optional<Member> successor(NodeId id, Situation situation) {
        return member(id, situation).flatMap(member -> situation.shardOf(member).lead());
    }

    private static boolean gone(NodeId id, Situation situation) {
        Optional<Member> member = member(id, situation);
        return member.isEmpty()
                || (member.get().ended()
                        && situation.shardOf(member.get()).live().isEmpty());
    }

    private static Optional<Member> member(NodeId id, Situation situation) {
        return Optional.ofNullable(situation.standingById.get(id))
                .or(() -> Optional.ofNullable(situation.lostById.get(id)));
    }
}
