package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.sim.Dice;
import java.util.TreeSet;

/** How well one operator and the servers get on at the moment. Fine at first. */
final class CommandWeather {

    private static final long LEAST_MILLIS = 1;
    private static final long MOST_MILLIS = 3;

    private final TreeSet<String> outOfReach = new TreeSet<>();
    private int lossPerMille;

    void clear() {
        lossPerMille = 0;
        outOfReach.clear();
    }

    /** This share of questions and commands gets lost, commands before or after they took effect. */
    void lose(int perMille) {
        lossPerMille = perMille;
    }

    void cutOff(String ip) {
        outOfReach.add(ip);
    }

    void mend(String ip) {
        outOfReach.remove(ip);
    }

    boolean reaches(String ip) {
        return !outOfReach.contains(ip);
    }

    boolean loses(Dice dice) {
        return lossPerMille > 0 && dice.chance(lossPerMille);
    }

    long latencyMillis(Dice dice) {
        return dice.between(LEAST_MILLIS, MOST_MILLIS);
    }
}
