package com.gomomento.valkey.operator.sim.valkey;

import java.util.Locale;

/** Prints how fast the model runs on this machine: clusters of six at peace, and in trouble. */
final class ModelSpeed {

    private static final int STEPS = 240;
    private static final int HISTORIES = 400;

    private ModelSpeed() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            trouble();
            peace();
        }
    }

    private static void trouble() {
        long begin = System.nanoTime();
        long events = 0;
        long virtualMillis = 0;
        for (long seed = 0; seed < HISTORIES; seed++) {
            Chaos chaos = new Chaos(seed, World.V9_1);
            chaos.run(STEPS);
            events += chaos.world().timeline.happened();
            virtualMillis += chaos.world().timeline.nowMillis();
        }
        print("in trouble, with reports each half second", begin, events, virtualMillis);
    }

    private static void peace() {
        long begin = System.nanoTime();
        long events = 0;
        long virtualMillis = 0;
        for (long seed = 0; seed < HISTORIES; seed++) {
            World world = new World(seed, World.V9_1, 5000);
            world.form(3, 1);
            world.pass(120_000);
            events += world.timeline.happened();
            virtualMillis += world.timeline.nowMillis();
        }
        print("at peace", begin, events, virtualMillis);
    }

    private static void print(String what, long begin, long events, long virtualMillis) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%-45s %6.0f histories/min, %8.0f events/s, %7.0f virtual seconds/s%n",
                what,
                HISTORIES / seconds * 60,
                events / seconds,
                virtualMillis / 1000.0 / seconds);
    }
}
