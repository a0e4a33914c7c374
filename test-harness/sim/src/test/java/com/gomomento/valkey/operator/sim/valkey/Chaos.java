package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.Dice;
import java.util.List;

/** A cluster to which anything may happen, as a seed says, and the history of what its servers told. */
final class Chaos {

    private static final int STEP_MILLIS = 500;

    private final World world;
    private final Dice dice;
    private long hash = 17;
    private long version;

    Chaos(long seed, ServerVersion server) {
        this.world = new World(seed, server, 2000);
        this.dice = new Dice(~seed);
    }

    /** Runs a cluster of three shards through {@code steps} half seconds of trouble; the same seed gives the same result. */
    long run(int steps) {
        world.form(3, 1);
        for (int i = 0; i < steps; i++) {
            mix(act().text().hashCode());
            world.pass(STEP_MILLIS);
            for (Server server : world.network.running()) {
                if (server.answers()) {
                    mix(server.report().hashCode());
                }
            }
        }
        mix(world.timeline.happened());
        return hash;
    }

    World world() {
        return world;
    }

    private void mix(long value) {
        hash = hash * 31 + value;
    }

    private Server any() {
        return dice.pick(List.copyOf(world.network.running()));
    }

    private Reply act() {
        Server one = any();
        Server other = any();
        NodeId id = other.id();
        return switch (dice.below(24)) {
            case 0 -> {
                if (world.network.running().size() > 3) {
                    world.network.kill(one);
                }
                yield Reply.OK;
            }
            case 1 -> world.start().meet(one.ip());
            case 2 -> {
                world.network.freeze(one);
                yield Reply.OK;
            }
            case 3, 4 -> {
                world.network.thaw(one);
                yield Reply.OK;
            }
            case 5 -> {
                world.network.cut(one.ip(), other.ip());
                yield Reply.OK;
            }
            case 6, 7 -> {
                world.network.mend(one.ip(), other.ip());
                yield Reply.OK;
            }
            case 8 -> one.replicate(id);
            case 9 -> one.forget(id);
            case 10 -> one.failover(dice.pick(List.of(Server.Failover.values())));
            case 11 -> one.migrateSlots(one.serves().first(dice.below(500)), id);
            case 12 -> one.setSlotImporting(dice.below(SlotSet.COUNT), id);
            case 13 -> one.setSlotMigrating(dice.below(SlotSet.COUNT), id);
            case 14 -> one.addSlots(SlotSet.share(dice.below(9), 9));
            case 15 -> one.bumpEpoch();
            case 16 -> one.meet(other.ip());
            default -> write(one);
        };
    }

    private Reply write(Server server) {
        SlotSet slots = server.serves();
        if (slots.isEmpty()) {
            return Reply.SILENCE;
        }
        version++;
        return server.write(slots.ranges().getFirst().first(), dice.below(5), version);
    }
}
