package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Gives pods their addresses. One that was freed stays unused for half a minute; later it may go to another pod. */
final class Addresses {

    private static final long REST_MILLIS = 30_000;
    private static final int REUSE_PER_MILLE = 400;

    /** An address and when it was freed. */
    private record Freed(String ip, long atMillis) {}

    private final Timeline timeline;
    private final Dice dice;
    private final List<Freed> freed = new ArrayList<>();
    private int given;

    Addresses(Timeline timeline, Dice dice) {
        this.timeline = timeline;
        this.dice = dice;
    }

    String take() {
        boolean rested = !freed.isEmpty() && freed.getFirst().atMillis() + REST_MILLIS <= timeline.nowMillis();
        if (rested && dice.chance(REUSE_PER_MILLE)) {
            return freed.removeFirst().ip();
        }
        given++;
        return "10.0." + given / 250 + "." + (1 + given % 250);
    }

    void free(String ip) {
        freed.add(new Freed(ip, timeline.nowMillis()));
    }
}
