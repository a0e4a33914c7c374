package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.scope.Instance.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What valkey-servers do: with a command, and among themselves. */
final class Engine {

    private Engine() {}

    /** Carries a command out as a server does that was just found fit for it; what it refuses changes nothing. */
    static void command(State state, Instance server, ValkeyAction action) {
        switch (action) {
            case ValkeyAction.Meet meet -> meet.peers().forEach(peer -> meet(state, server, peer));
            case ValkeyAction.ClaimSlots claim -> claim(server, claim);
            case ValkeyAction.Replicate replicate -> replicate(server, replicate.primary());
            case ValkeyAction.Forget forget -> forget(server, forget.forgotten());
            case ValkeyAction.Failover failover -> failover(state, server, failover);
            case ValkeyAction.MoveSlots move -> move(state, server, move);
            case ValkeyAction.SetDirectives ignored -> {
                // Nobody wishes for other directives here.
            }
            case ValkeyAction.CloseSlots ignored -> {
                // Moves are atomic here, so that no slot is ever open.
            }
        }
        gossip(state);
    }

    private static void meet(State state, Instance server, ValkeyAction.Peer peer) {
        Optional<Instance> there = state.process(peer.nodeId())
                .filter(process -> Eyes.ip(process.podUid).equals(peer.ip()));
        if (there.isPresent() && !server.knows(peer.nodeId())) {
            Line line = new Line();
            line.handshake = true;
            server.view.putIfAbsent(peer.nodeId(), line);
        }
    }

    private static void claim(Instance server, ValkeyAction.ClaimSlots claim) {
        int slots = Slots.bits(claim.slots());
        boolean busy = (slots & server.slotsOfOthers()) != Slots.NONE;
        if (busy || !server.primary()) {
            return;
        }
        if (!server.view.isEmpty()) {
            server.epoch = server.highestEpoch() + 1;
        } else if (server.epoch == 0) {
            server.epoch = claim.epoch().value();
        }
        server.data |= slots & ~server.slots;
        server.slots |= slots;
    }

    private static void replicate(Instance server, NodeId primary) {
        Line line = server.view.get(primary);
        boolean fit = line != null && !line.handshake && line.follows.isEmpty();
        boolean holdsData = server.primary() && (server.slots | server.data) != Slots.NONE;
        if (fit && !holdsData && !server.follows.equals(Optional.of(primary))) {
            server.follows = Optional.of(primary);
            server.data = Slots.NONE;
            server.linked = false;
        }
    }

    private static void forget(Instance server, NodeId id) {
        if (!server.follows.equals(Optional.of(id)) && server.view.remove(id) != null) {
            server.banned.add(id);
        }
    }

    private static void failover(State state, Instance server, ValkeyAction.Failover failover) {
        Optional<NodeId> followed = server.follows;
        if (followed.isEmpty()) {
            return;
        }
        switch (failover.mode()) {
            case GRACEFUL -> {
                Optional<Instance> primary = state.process(followed.get());
                boolean agreed = primary.filter(process -> State.connected(process, server) && process.primary())
                        .isPresent();
                if (agreed && server.linked) {
                    promote(server, followed.get());
                    primary.get().target = Optional.empty();
                    primary.get().moving = Slots.NONE;
                }
            }
            case TAKEOVER -> promote(server, followed.get());
        }
    }

    private static void promote(Instance server, NodeId primary) {
        Line line = server.view.get(primary);
        server.epoch = server.highestEpoch() + 1;
        server.follows = Optional.empty();
        server.linked = false;
        if (line != null) {
            server.slots |= line.slots;
            line.slots = Slots.NONE;
        }
    }

    private static void move(State state, Instance server, ValkeyAction.MoveSlots move) {
        int slots = Slots.bits(move.slots());
        boolean busy = state.processes.values().stream()
                .anyMatch(process -> process.target.isPresent()
                        && (process == server
                                || process.target.get().equals(server.id)
                                || process.id.equals(move.target().nodeId())));
        if (!busy && (server.slots & slots) == slots) {
            server.target = Optional.of(move.target().nodeId());
            server.moving = slots;
        }
    }

    /** Ends a migration, with success where both ends can still see to it. */
    static void endMigration(State state, Instance source) {
        Optional<Instance> target = source.target.flatMap(state::process);
        boolean well = source.primary()
                && (source.slots & source.moving) == source.moving
                && target.filter(process -> process.primary() && State.connected(process, source))
                        .isPresent();
        if (well) {
            Instance receiver = target.get();
            receiver.epoch = receiver.highestEpoch() + 1;
            receiver.slots |= source.moving;
            receiver.data |= source.moving;
            Line line = receiver.view.get(source.id);
            if (line != null) {
                line.slots &= ~source.moving;
            }
            source.slots &= ~source.moving;
            source.data &= ~source.moving;
        }
        source.target = Optional.empty();
        source.moving = Slots.NONE;
        gossip(state);
    }

    /** An introduction comes to its end: both know each other. */
    static void introduce(State state, Instance one, Instance other) {
        one.view.remove(other.id);
        one.view.put(other.id, new Line());
        other.view.putIfAbsent(one.id, new Line());
        Line back = other.view.get(one.id);
        if (back != null) {
            back.handshake = false;
        }
        gossip(state);
    }

    /** A replica receives all that its primary has. */
    static void sync(State state, Instance replica) {
        state.process(replica.follows.orElseThrow()).ifPresent(primary -> {
            replica.data = primary.data;
            replica.linked = true;
        });
    }

    /** Whether this replica would win an election now. */
    static boolean electable(State state, Instance replica) {
        if (replica.primary() || replica.data == Slots.NONE) {
            return false;
        }
        NodeId dead = replica.follows.orElseThrow();
        Line line = replica.view.get(dead);
        if (line == null || !line.failed || line.slots == Slots.NONE) {
            return false;
        }
        int voters = 0;
        int votes = 0;
        for (var entry : replica.view.entrySet()) {
            if (entry.getValue().slots == Slots.NONE) {
                continue;
            }
            voters++;
            boolean votesFor = state.process(entry.getKey())
                    .filter(voter -> State.connected(voter, replica) && voter.slots != Slots.NONE)
                    .filter(voter -> fails(voter, dead) && follows(voter, replica.id, dead))
                    .isPresent();
            votes += votesFor ? 1 : 0;
        }
        return votes >= voters / 2 + 1;
    }

    /** Whether one holds that another is dead. */
    static boolean fails(Instance voter, NodeId dead) {
        Line line = voter.view.get(dead);
        return line != null && line.failed;
    }

    private static boolean follows(Instance voter, NodeId replica, NodeId primary) {
        Line line = voter.view.get(replica);
        return line != null && !line.handshake && line.follows.equals(Optional.of(primary));
    }

    static void elect(State state, Instance replica) {
        promote(replica, replica.follows.orElseThrow());
        gossip(state);
    }

    /** Everybody that can notices that another does not answer. */
    static boolean notice(State state, Instance observer) {
        boolean news = false;
        for (var entry : observer.view.entrySet()) {
            Line line = entry.getValue();
            boolean gone = state.process(entry.getKey())
                    .filter(peer -> State.connected(peer, observer))
                    .isEmpty();
            if (gone && !line.failed && !line.handshake) {
                line.failed = true;
                news = true;
            }
        }
        return news;
    }

    /** All who can hear each other tell what they are, until nobody has any more to say. */
    static void gossip(State state) {
        boolean news = true;
        while (news) {
            news = false;
            List<Instance> all = new ArrayList<>(state.processes.values());
            for (Instance one : all) {
                for (Instance other : all) {
                    if (one != other && State.connected(one, other) && one.knows(other.id)) {
                        news |= hear(one, other);
                    }
                }
                follow(state, one);
            }
        }
    }

    /** The stream to a replica flows or has stopped. */
    private static void follow(State state, Instance replica) {
        if (replica.primary() || !replica.linked) {
            return;
        }
        Optional<Instance> primary = replica.follows
                .flatMap(state::process)
                .filter(process -> State.connected(process, replica) && process.primary());
        if (primary.isPresent()) {
            replica.data = primary.get().data;
        } else {
            replica.linked = false;
        }
    }

    private static boolean hear(Instance one, Instance other) {
        Line line = Objects.requireNonNull(one.view.get(other.id));
        boolean news = line.failed || line.epoch != other.epoch || !line.follows.equals(other.follows);
        line.failed = false;
        line.epoch = other.epoch;
        line.follows = other.follows;
        if (!other.primary()) {
            news |= line.slots != Slots.NONE;
            line.slots = Slots.NONE;
            return news;
        }
        int taken = other.slots & ~line.slots;
        if ((taken & one.slots) != Slots.NONE) {
            if (one.epoch < other.epoch) {
                lose(one, other, taken & one.slots);
            } else if (one.epoch == other.epoch && one.id.compareTo(other.id) < 0) {
                one.epoch = one.highestEpoch() + 1;
                news = true;
            }
            taken &= ~one.slots;
        }
        for (var entry : one.view.entrySet()) {
            Line owner = entry.getValue();
            int disputed = owner.slots & taken;
            if (!entry.getKey().equals(other.id) && disputed != Slots.NONE) {
                if (owner.epoch < other.epoch) {
                    owner.slots &= ~disputed;
                } else {
                    taken &= ~disputed;
                }
            }
        }
        line.slots |= taken;
        return news || taken != Slots.NONE;
    }

    /** Somebody with a higher epoch has these slots; who has lost all of them follows whoever took the last. */
    private static void lose(Instance loser, Instance winner, int slots) {
        loser.slots &= ~slots;
        loser.data &= ~slots;
        if (loser.slots == Slots.NONE) {
            loser.follows = Optional.of(winner.id);
            loser.linked = false;
            loser.data = Slots.NONE;
            loser.target = Optional.empty();
            loser.moving = Slots.NONE;
        }
    }
}
