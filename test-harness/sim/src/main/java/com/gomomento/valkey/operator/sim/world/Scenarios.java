package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.world.Happening.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Draws scenarios from seeds. Each seed allows only some kinds of happenings (swarm testing): a world with everything in it
 * rarely comes far in anything.
 */
public final class Scenarios {

    /** Wishes that the planner does not carry out yet; no seed draws them. */
    public static final Set<Kind> NOT_YET = EnumSet.noneOf(Kind.class);

    private static final int ALLOWED_PER_MILLE = 300;
    private static final long FIRST_MILLIS = 0;
    private static final long CHAOS_MILLIS = 60_000;
    static final List<String> VERSIONS = List.of("8.0.1", "8.1.1", "9.1.2");

    private Scenarios() {}

    /** The scenario of a seed. */
    public static Scenario draw(long seed) {
        Dice dice = new Dice(seed);
        int clusterCount = dice.chance(250) ? 2 : 1;
        List<Scenario.ClusterPlan> clusters = new ArrayList<>();
        for (int i = 0; i < clusterCount; i++) {
            clusters.add(new Scenario.ClusterPlan(
                    new ClusterKey("shop", i == 0 ? "cache" : "queue"),
                    dice.pick(VERSIONS),
                    1 + dice.below(clusterCount == 1 ? 5 : 3),
                    dice.below(3)));
        }
        int operators = dice.chance(250) ? 2 : 1;
        int machines = 2 + dice.below(3);
        // Half of the worlds are left in peace until their clusters stand.
        long from = dice.chance(500) ? FIRST_MILLIS : 20_000;
        List<Happening> happenings = happenings(dice, from);
        return new Scenario(seed, operators, machines, clusters, happenings, from + CHAOS_MILLIS);
    }

    private static List<Happening> happenings(Dice dice, long from) {
        // Of its own, so that a further kind changes nothing else about a seed.
        Dice swarm = dice.split();
        List<Kind> allowed = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (!NOT_YET.contains(kind) && swarm.chance(ALLOWED_PER_MILLE)) {
                allowed.add(kind);
            }
        }
        List<Happening> happenings = new ArrayList<>();
        int count = allowed.isEmpty() ? 0 : dice.below(13);
        for (int i = 0; i < count; i++) {
            happenings.add(new Happening(from + dice.below((int) CHAOS_MILLIS), dice.pick(allowed), dice.next()));
        }
        happenings.sort(Comparator.comparingLong(Happening::atMillis));
        return happenings;
    }
}
