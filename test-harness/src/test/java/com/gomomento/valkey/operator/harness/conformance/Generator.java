package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Draws the next command from what the model has come to, so that most commands do something. Left out is what ends
 * differently each time on real servers too: elections between several replicas, and a majority that is lost and found in
 * a race.
 */
final class Generator {

    private static final int MOST_SERVERS = 9;
    private static final int LEAST_RUNNING = 4;
    private static final int[] SLOTS = {3, 4, 6000, 6001, 12000, 12001};

    private final Dice dice;
    private final List<Server> servers;
    private final boolean atomic;
    private long version;
    private long freshEpoch;

    Generator(long seed, List<Server> servers, boolean atomic) {
        this.dice = new Dice(seed);
        this.servers = servers;
        this.atomic = atomic;
    }

    /** Makes a cluster of three shards, the last of them without a replica, with some keys. */
    static List<Command> bootstrap() {
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            commands.add(new Command.Start());
        }
        for (int i = 0; i < 5; i++) {
            commands.add(new Command.SetEpoch(i, i + 1L));
        }
        for (int i = 0; i < 3; i++) {
            commands.add(new Command.AddSlots(i, SlotSet.share(i, 3)));
        }
        for (int i = 1; i < 5; i++) {
            commands.add(new Command.Meet(0, i));
        }
        return commands;
    }

    /** Then, once all know all. */
    static List<Command> populate() {
        return List.of(
                new Command.Replicate(3, 0),
                new Command.Replicate(4, 1),
                new Command.Write(0, 3, 1, 1),
                new Command.Write(0, 4, 1, 2),
                new Command.Write(1, 6000, 1, 3),
                new Command.Write(2, 12000, 1, 4));
    }

    /** The next commands. */
    List<Command> next() {
        while (true) {
            Optional<Command> drawn = draw();
            if (drawn.isPresent()) {
                return switch (drawn.get()) {
                    case Command.Start start -> List.of(start, epochOfItsOwn(servers.size()));
                    case Command.Reset reset when reset.hard() -> List.of(reset, epochOfItsOwn(reset.server()));
                    case Command other -> List.of(other);
                };
            }
        }
    }

    /** Of two nodes without one, chance would say who gets the greater. */
    private Command epochOfItsOwn(int server) {
        // Far above what elections come to.
        freshEpoch += 1000;
        return new Command.SetEpoch(server, freshEpoch);
    }

    private Optional<Command> draw() {
        int one = answering();
        int other = answering();
        int slot = SLOTS[dice.below(SLOTS.length)];
        return switch (dice.below(22)) {
            case 0 -> servers.size() < MOST_SERVERS ? Optional.of(new Command.Start()) : Optional.empty();
            case 1, 2 -> one == other ? Optional.empty() : Optional.of(new Command.Meet(one, other));
            case 3 -> mayFail(one) ? Optional.of(new Command.Kill(one)) : Optional.empty();
            case 4 -> mayFail(one) ? Optional.of(new Command.Freeze(one)) : Optional.empty();
            case 5, 6 -> frozen().map(Command.Thaw::new);
            case 7, 8 -> mayFollow(one, other) ? Optional.of(new Command.Replicate(one, other)) : Optional.empty();
            case 9 -> Optional.of(new Command.Failover(one, Server.Failover.GRACEFUL));
            case 10 -> Optional.of(new Command.Failover(replicaOr(one), Server.Failover.GRACEFUL));
            case 11 ->
                Optional.of(new Command.Failover(
                        replicaOr(one), dice.pick(List.of(Server.Failover.FORCE, Server.Failover.TAKEOVER))));
            // A frozen one brings the forgotten back if it sleeps for longer than the ban.
            case 12 -> frozen().isPresent() ? Optional.empty() : dead().map(gone -> new Command.Forget(one, gone));
            case 13 -> atomic ? Optional.of(new Command.MigrateSlots(one, few(one), other)) : Optional.empty();
            case 14 -> Optional.of(new Command.AddSlots(one, unowned(one)));
            case 15 -> Optional.of(openSlot(one, other, slot));
            case 16 -> {
                int from = owner(slot).orElse(one);
                yield from == other ? Optional.empty() : Optional.of(new Command.MoveKeys(from, slot, other));
            }
            case 17 -> Optional.of(new Command.BumpEpoch(one));
            case 18 -> Optional.of(new Command.Read(one, slot, 1));
            case 19 -> strangerOrEmpty(one) ? Optional.of(new Command.Reset(one, dice.chance(500))) : Optional.empty();
            default -> {
                version++;
                yield Optional.of(new Command.Write(owner(slot).orElse(one), slot, dice.below(3) + 1, 100 + version));
            }
        };
    }

    private Command openSlot(int one, int other, int slot) {
        int owner = owner(slot).orElse(one);
        return switch (dice.below(4)) {
            case 0 -> new Command.Importing(one, slot, owner);
            case 1 -> new Command.Migrating(owner, slot, other);
            case 2 -> new Command.Stable(one, slot);
            default -> new Command.Node(one, slot, other);
        };
    }

    private int answering() {
        while (true) {
            int index = dice.below(servers.size());
            if (servers.get(index).answers()) {
                return index;
            }
        }
    }

    private Reachable report(int index) {
        return servers.get(index).report();
    }

    private Optional<Integer> frozen() {
        return indexes().stream().filter(index -> servers.get(index).isFrozen()).findFirst();
    }

    private Optional<Integer> dead() {
        return indexes().stream().filter(index -> servers.get(index).hasEnded()).findFirst();
    }

    private List<Integer> indexes() {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            all.add(i);
        }
        return all;
    }

    private int replicaOr(int other) {
        return indexes().stream()
                .filter(index -> servers.get(index).answers() && report(index).role() == Role.REPLICA)
                .skip(dice.below(2))
                .findFirst()
                .orElse(other);
    }

    private Optional<Integer> owner(int slot) {
        return indexes().stream()
                .filter(index -> servers.get(index).serves().contains(slot))
                .findFirst();
    }

    private List<Integer> replicasOf(NodeId id) {
        return indexes().stream()
                .filter(index -> servers.get(index).answers()
                        && report(index).self().primary().equals(Optional.of(id)))
                .toList();
    }

    /** All others stay, enough of them to elect, and at most one can be elected. */
    private boolean mayFail(int index) {
        boolean all = indexes().stream().noneMatch(i -> servers.get(i).isFrozen());
        long running = servers.stream().filter(Server::answers).count();
        long voters = indexes().stream()
                .filter(i -> i != index
                        && servers.get(i).answers()
                        && !servers.get(i).serves().isEmpty())
                .count();
        return all
                && running > LEAST_RUNNING
                && 2 * voters
                        > report(index).view().all().stream()
                                .filter(line -> line.role() == Role.PRIMARY
                                        && !line.slots().isEmpty())
                                .count()
                && replicasOf(report(index).id()).size() <= 1;
    }

    /** No shard gets a second replica. */
    private boolean mayFollow(int one, int other) {
        List<Integer> replicas = replicasOf(report(other).id());
        return one != other && (replicas.isEmpty() || replicas.equals(List.of(one)));
    }

    private SlotSet few(int index) {
        SlotSet own = report(index).self().slots();
        return own.isEmpty() ? SlotSet.share(0, 100) : own.first(1 + dice.below(200));
    }

    private SlotSet unowned(int index) {
        SlotSet free = SlotSet.ALL;
        for (MemberBelief line : report(index).view().all()) {
            free = free.minus(line.slots());
        }
        return free.isEmpty() ? SlotSet.of(SLOTS[dice.below(SLOTS.length)]) : free;
    }

    private boolean strangerOrEmpty(int index) {
        return report(index).self().slots().isEmpty()
                && replicasOf(report(index).id()).isEmpty();
    }
}
