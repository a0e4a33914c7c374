package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.ReplicaLink;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.util.List;
import java.util.Optional;

/**
 * What must still hold of a node just before it is told something. A plan is made from what was seen a moment ago; whoever
 * executes it asks the node once more, on the connection that the command will take, and goes on only if this says so.
 */
public final class Guards {

    private Guards() {}

    /** What a look at the node came to. */
    public sealed interface Verdict {}

    /** The command may be sent. */
    public record Go() implements Verdict {}

    /** What the command is for has been reached already. */
    public record Done() implements Verdict {}

    /** The command would be wrong now. {@code reason} is a sentence for people. */
    public record No(String reason) implements Verdict {}

    /** Whether {@code action} may be run on the node that has just reported {@code now}. */
    public static Verdict check(ValkeyAction action, Reachable now) {
        if (!now.id().equals(action.nodeId())) {
            return new No("at the address of " + action.node() + " answers node " + now.id() + " instead of "
                    + action.nodeId());
        }
        return switch (action) {
            case ValkeyAction.Meet meet -> meet(meet, now);
            case ValkeyAction.ClaimSlots claim -> claim(claim, now);
            case ValkeyAction.Replicate replicate -> replicate(replicate, now);
            case ValkeyAction.Forget forget -> forget(forget, now);
            case ValkeyAction.Failover failover -> failover(failover, now);
            case ValkeyAction.MoveSlots move -> move(move, now);
            case ValkeyAction.CloseSlots close -> close(close, now);
            case ValkeyAction.SetDirectives ignored -> new Go();
        };
    }

    /** Whether a peer is already a full acquaintance at the address that it has now. */
    public static boolean met(Reachable now, ValkeyAction.Peer peer) {
        return now.view()
                .of(peer.nodeId())
                .filter(line -> !line.handshake() && line.ip().equals(Optional.of(peer.ip())))
                .isPresent();
    }

    private static Verdict meet(ValkeyAction.Meet action, Reachable now) {
        return action.peers().stream().allMatch(peer -> met(now, peer)) ? new Done() : new Go();
    }

    private static Verdict claim(ValkeyAction.ClaimSlots action, Reachable now) {
        MemberBelief own = now.self();
        if (own.role() != Role.PRIMARY) {
            return new No(action.node() + " is a replica and can't own slots");
        }
        if (own.slots().containsAll(action.slots())) {
            return new Done();
        }
        for (MemberBelief line : now.view().all()) {
            if (!line.id().equals(own.id()) && line.slots().intersects(action.slots())) {
                SlotSet free = action.slots().minus(line.slots());
                return new No("slots " + action.slots().minus(free) + " are owned by " + line.id());
            }
        }
        return new Go();
    }

    private static Verdict replicate(ValkeyAction.Replicate action, Reachable now) {
        MemberBelief own = now.self();
        if (!own.slots().isEmpty()) {
            return new No(action.node() + " owns slots " + own.slots() + " and can't become a replica");
        }
        if (own.primary().equals(Optional.of(action.primary()))) {
            return new Done();
        }
        return now.view().lists(action.primary())
                ? new Go()
                : new No(action.node() + " does not know node " + action.primary() + " yet");
    }

    private static Verdict forget(ValkeyAction.Forget action, Reachable now) {
        Optional<MemberBelief> line = now.view().of(action.forgotten());
        if (line.isEmpty()) {
            return new Done();
        }
        MemberBelief member = line.get();
        if (!member.slots().isEmpty() && !action.withSlots()) {
            return new No("node " + member.id() + " owns slots " + member.slots() + " in the view of " + action.node());
        }
        if (!member.slots().isEmpty() && member.health() == Health.OK && member.linkUp()) {
            return new No(action.node() + " has a link to node " + member.id() + ", which owns slots");
        }
        if (!member.slots().isEmpty() && !keepsMajority(now, member.id())) {
            return new No(action.node() + " would be left in a minority without node " + member.id());
        }
        if (action.was().isEmpty() && member.health() == Health.OK) {
            return new No(action.node() + " holds that node " + member.id() + ", of which nothing is known, is alive");
        }
        if (member.handshake()) {
            return new No("node " + member.id() + " is being introduced to " + action.node());
        }
        if (now.self().primary().equals(Optional.of(member.id()))) {
            return new No(action.node() + " follows node " + member.id());
        }
        return new Go();
    }

    private static Verdict failover(ValkeyAction.Failover action, Reachable now) {
        if (now.role() == Role.PRIMARY) {
            return now.self().slots().isEmpty()
                    ? new No(action.node() + " follows nobody and owns no slot")
                    : new Done();
        }
        if (!now.self().primary().equals(Optional.of(action.primary()))) {
            return new No(action.node() + " does not follow node " + action.primary());
        }
        return switch (action.mode()) {
            case GRACEFUL ->
                now.replication().filter(ReplicaLink::up).isPresent()
                        ? new Go()
                        : new No(action.node() + " is not in sync with its primary");
            case TAKEOVER ->
                abandoned(now, action.primary())
                        ? new Go()
                        : new No(action.node() + " is still connected to its primary");
        };
    }

    /** Whether a replica has noticed that its primary is gone: the stream has stopped, or it holds that it is dead. */
    static boolean abandoned(Reachable replica, NodeId primary) {
        return dead(replica, primary)
                || replica.replication().filter(ReplicaLink::up).isEmpty();
    }

    /**
     * Whether a node that serves would still reach a majority of the primaries with slots if it forgot one of them. It counts
     * those as reached that it does not suspect yet, so that the order of forgetting matters.
     */
    static boolean keepsMajority(Reachable now, NodeId forgotten) {
        int voters = 0;
        int reached = 0;
        for (MemberBelief line : now.view().all()) {
            if (line.role() == Role.PRIMARY
                    && !line.slots().isEmpty()
                    && !line.id().equals(forgotten)) {
                voters++;
                reached += line.health() == Health.OK ? 1 : 0;
            }
        }
        return !now.clusterOk() || voters == 0 || reached >= voters / 2 + 1;
    }

    /** Whether a node holds that another is dead, or has no link to it. */
    static boolean dead(Reachable now, NodeId id) {
        return now.view()
                .of(id)
                .filter(line -> line.health() != Health.OK || !line.linkUp())
                .isPresent();
    }

    private static Verdict move(ValkeyAction.MoveSlots action, Reachable now) {
        if (now.migrations().stream().anyMatch(SlotMigration::active)) {
            return new No(action.node() + " takes part in another migration");
        }
        Optional<MemberBelief> target = now.view().of(action.target().nodeId());
        if (target.filter(line -> line.slots().containsAll(action.slots())).isPresent()
                && now.self().openSlots().isEmpty()) {
            return new Done();
        }
        boolean fit = target.filter(line ->
                        line.role() == Role.PRIMARY && line.health() == Health.OK && line.linkUp() && !line.handshake())
                .isPresent();
        if (!fit) {
            return new No(action.node() + " does not know " + action.target().name() + " as a healthy primary");
        }
        if (action.method() == ValkeyAction.MoveSlots.Method.ATOMIC
                && !now.self().slots().containsAll(action.slots())) {
            return new No(action.node() + " does not own slots "
                    + action.slots().minus(now.self().slots()));
        }
        return new Go();
    }

    private static Verdict close(ValkeyAction.CloseSlots action, Reachable now) {
        List<OpenSlot> open =
                now.self().openSlots().stream().filter(action::means).toList();
        if (open.isEmpty()) {
            return new Done();
        }
        boolean alive = now.view().lists(action.peer()) && !dead(now, action.peer());
        SlotSet ofPeer = now.view().of(action.peer()).map(MemberBelief::slots).orElse(SlotSet.EMPTY);
        // Keys may lie on both sides: with both alive, the move is to be finished, not dropped.
        return alive && open.stream().anyMatch(slot -> slot.outgoing() || ofPeer.contains(slot.slot()))
                ? new No("node " + action.peer() + ", to which slots are open, is alive")
                : new Go();
    }
}
