package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.NodeReport.MemoryUse;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots.Method;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Gap: shards that stay don't have the same number of slots, or a shard that leaves still has some.
 *
 * <p>Action: move slots, as few as can be, each node in one move at a time and each move bounded. A newer wish counts from
 * the next move on.
 *
 * <p>Evidence: every slot has an owner. Source and target are live primaries whose slots all views agree on; no member of
 * their shards is being replaced. The target serves clients: a server that has just started, or was in a minority, refuses
 * them for some seconds. A shard that receives its first slots is complete, its replicas in sync, and the data fits into the
 * target's memory. Who gives its last slot votes no more: that waits until those who serve are most of the owners without it.
 *
 * <p>Guard: the source owns the slots, knows the target as a healthy primary, and takes part in no other move.
 *
 * <p>Invariants: S2, S13.
 */
final class RebalanceRule implements Rule {

    /** Bounds what one move holds up and what one failure repeats. */
    private static final int MAX_SLOTS_A_MOVE = 2048;

    /** A migration of a small shard takes a fraction of a second. */
    private static final Duration POLL = Duration.ofMillis(100);

    private static final ServerVersion ATOMIC_SINCE = new ServerVersion(9, 0, 0);

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!situation.formed() || !(situation.complete || situation.served())) {
            return;
        }
        List<SlotHolder> holders = SlotHolder.of(situation);
        List<SlotMoves.Move> moves = SlotMoves.plan(holders.stream()
                .map(holder -> new SlotMoves.Holder(holder.slots(), holder.stays()))
                .toList());
        // While a migration runs, its slots still count as the source's, unless the wish has changed meanwhile.
        int remaining =
                Math.max(moves.stream().mapToInt(move -> move.slots().size()).sum(), underWay(situation));
        if (remaining == 0) {
            return;
        }
        draft.slotsToMove(remaining);
        draft.wakeWithin(POLL);
        int total = situation
                .ledger
                .moving()
                .filter(before -> before.shards() == situation.spec.shards())
                .map(before -> Math.max(before.slots(), remaining))
                .orElse(remaining);
        draft.because(
                Reason.Kind.PROGRESS,
                String.format(
                        Locale.ROOT,
                        "moved %,d of %,d slots for %d shards",
                        total - remaining,
                        total,
                        situation.spec.shards()));
        if (situation.complete) {
            Set<NodeId> busy = new TreeSet<>(situation.moving);
            moves.forEach(
                    move -> start(holders.get(move.from()), holders.get(move.to()), move, situation, busy, draft));
        }
    }

    private static int underWay(Situation situation) {
        return situation.answers.stream()
                .flatMap(answer -> answer.migrations().stream())
                .filter(migration -> migration.active() && migration.outgoing())
                .mapToInt(migration -> migration.slots().size())
                .sum();
    }

    private static void start(
            SlotHolder from, SlotHolder to, SlotMoves.Move move, Situation situation, Set<NodeId> busy, Draft draft) {
        if (from.member().filter(Member::ownsSlots).isEmpty() || to.member().isEmpty()) {
            return;
        }
        Member source = from.member().get();
        Member target = to.member().get();
        boolean free = !busy.contains(source.liveId()) && !busy.contains(target.liveId());
        boolean complete = target.ownsSlots() || Agreement.inOrder(to.shard(), situation);
        if (!free
                || !complete
                || !target.serves()
                || older(target, source)
                || handsOver(from.shard(), from)
                || handsOver(to.shard(), from)
                || !ready(source, situation)
                || !ready(target, situation)) {
            return;
        }
        SlotSet slots = move.slots().first(MAX_SLOTS_A_MOVE);
        if (!fits(slots, source, target)) {
            draft.because(
                    Reason.Kind.BLOCKED,
                    "slots can't move from " + source.name() + " to " + target.name()
                            + ": the data would not fit into its memory; raise resources.memory or maxmemory");
            return;
        }
        if (!keepsMajority(source, target, slots, situation, busy)) {
            draft.because(
                    Reason.Kind.BLOCKED,
                    "the last slots of " + source.name()
                            + " stay there until an owner of slots that does not serve is back"
                            + " or replaced: without its vote the others would stop serving");
            return;
        }
        busy.add(source.liveId());
        busy.add(target.liveId());
        draft.act(move(source, target, slots, method(source, target)));
    }

    /**
     * Whether a shard is to change its primary first. Not one without slots, in which nobody can hand over; nor is its own
     * second owner waited for, which can't leave before its slots have.
     */
    private static boolean handsOver(Shard shard, SlotHolder from) {
        boolean secondOwner = shard.equals(from.shard()) && !from.stays();
        return shard.wanted() && shard.owner().isPresent() && shard.inHandover() && !secondOwner;
    }

    private static boolean ready(Member lead, Situation situation) {
        return Agreement.acceptedByAll(lead, lead, situation) && Agreement.slotsAgreed(lead, situation);
    }

    /**
     * Whether every owner that serves will still reach most of the owners when this one and those whose moves are under way
     * own nothing any more: whoever reaches fewer refuses all clients.
     */
    private static boolean keepsMajority(
            Member source, Member target, SlotSet slots, Situation situation, Set<NodeId> busy) {
        boolean empties = slots.containsAll(source.answer().orElseThrow().self().slots());
        if (!empties || !target.ownsSlots()) {
            return true;
        }
        Set<NodeId> serving = situation.live.stream()
                .filter(member -> member.ownsSlots() && member.serves() && !member.is(source))
                .map(Member::liveId)
                .collect(Collectors.toSet());
        Set<NodeId> owners = new TreeSet<>(situation.believedOwners().keySet());
        owners.remove(source.liveId());
        int leaving = busy.size() / 2;
        return situation.live.stream()
                .filter(member -> serving.contains(member.liveId()))
                .map(member -> member.answer().orElseThrow().view())
                .allMatch(view -> {
                    long reached = owners.stream()
                            .filter(serving::contains)
                            .filter(id -> view.of(id)
                                    .filter(line -> line.health() == Health.OK)
                                    .isPresent())
                            .count();
                    return reached == owners.size() || 2 * (reached - leaving) > owners.size() - leaving;
                });
    }

    private static boolean fits(SlotSet slots, Member source, Member target) {
        MemoryUse from = source.answer().orElseThrow().memory();
        MemoryUse to = target.answer().orElseThrow().memory();
        int owned = source.answer().orElseThrow().self().slots().size();
        long share = (long) ((double) from.usedBytes() * slots.size() / Math.max(1, owned));
        return to.maxBytes() == 0 || to.usedBytes() + share <= to.maxBytes();
    }

    /** A server can't read what one of a later major version sends it key by key; the roll under way mends that. */
    private static boolean older(Member target, Member source) {
        return version(target).major() < version(source).major();
    }

    private static ServerVersion version(Member member) {
        return ServerVersion.parse(member.answer().orElseThrow().version());
    }

    private static Method method(Member source, Member target) {
        boolean atomic = atomic(source) && atomic(target);
        return atomic ? Method.ATOMIC : Method.KEY_BY_KEY;
    }

    private static boolean atomic(Member member) {
        return version(member).compareTo(ATOMIC_SINCE) >= 0;
    }

    static ValkeyAction.MoveSlots move(Member source, Member target, SlotSet slots, Method method) {
        return new ValkeyAction.MoveSlots(
                source.name(),
                source.liveId(),
                new ValkeyAction.Peer(
                        target.name(),
                        target.liveId(),
                        target.pod().flatMap(PodView::ip).orElseThrow()),
                slots,
                method);
    }
}
