package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.sim.world.Happening;
import com.gomomento.valkey.operator.sim.world.Journeys;
import com.gomomento.valkey.operator.sim.world.Probe;
import com.gomomento.valkey.operator.sim.world.Scenario;
import com.gomomento.valkey.operator.sim.world.Scenarios;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/** Histories by seed: drawn with all that may happen, or made so that one kind of thing does happen. */
final class Histories {

    private static final ClusterKey CACHE = new ClusterKey("shop", "cache");
    private static final ClusterKey QUEUE = new ClusterKey("shop", "queue");
    private static final long STANDS_MILLIS = 20_000;

    private Histories() {}

    /** Any world of the simulator. */
    static LongFunction<Scenario> drawn() {
        return Scenarios::draw;
    }

    /** One great change, with all chance anew for each seed. */
    static LongFunction<Scenario> journey(String name) {
        Scenario journey = Objects.requireNonNull(Journeys.all().get(name));
        return seed -> new Scenario(
                seed,
                journey.operators(),
                journey.machines(),
                journey.clusters(),
                journey.happenings(),
                journey.healMillis());
    }

    /** One great change in which the operator ends after so many of its writes. */
    static LongFunction<Scenario> crashes(String name) {
        Scenario journey = Objects.requireNonNull(Journeys.all().get(name));
        return step -> journey.with(new Probe(Probe.Kind.CRASH_AT_WRITE, step));
    }

    /** Servers of one cluster die, and a minute later another cluster needs addresses. */
    static LongFunction<Scenario> reusedAddresses() {
        return seed -> new Scenario(
                seed,
                1,
                3,
                List.of(new Scenario.ClusterPlan(CACHE, "9.1.2", 3, 1), new Scenario.ClusterPlan(QUEUE, "9.1.2", 1, 0)),
                List.of(
                        new Happening(STANDS_MILLIS, Happening.Kind.KILL_SERVER, seed),
                        new Happening(STANDS_MILLIS + 100, Happening.Kind.KILL_SERVER, seed + 1),
                        new Happening(STANDS_MILLIS + 200, Happening.Kind.KILL_SERVER, seed + 2),
                        new Happening(60_000, Happening.Kind.WISH_SHARDS, seed),
                        new Happening(60_000, Happening.Kind.WISH_REPLICAS, seed),
                        new Happening(70_000, Happening.Kind.WISH_REPLICAS, seed + 1)),
                80_000);
    }

    /** Users ask for another number of shards and for another configuration at about the same time. */
    static LongFunction<Scenario> rollAndScale() {
        return seed -> new Scenario(
                seed,
                1,
                3,
                List.of(new Scenario.ClusterPlan(CACHE, "9.1.2", 3, 1)),
                List.of(
                        new Happening(STANDS_MILLIS, Happening.Kind.WISH_TEMPLATE, seed),
                        new Happening(STANDS_MILLIS + 500, Happening.Kind.WISH_SHARDS, seed)),
                STANDS_MILLIS + 1_000);
    }
}
