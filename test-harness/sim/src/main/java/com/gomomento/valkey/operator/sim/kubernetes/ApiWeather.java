package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.sim.Dice;

/**
 * How well one operator and the API server get on at the moment. Chances are per mille of calls. Fine at first; whoever
 * injects faults turns the knobs, and {@link #clear} turns them back.
 */
public final class ApiWeather {

    private static final long LEAST_MILLIS = 1;
    private static final long CALM_MOST_MILLIS = 4;
    private static final long CALM_LAG_MILLIS = 8;

    private long mostLatencyMillis = CALM_MOST_MILLIS;
    private long mostLagMillis = CALM_LAG_MILLIS;
    private int troublePerMille;
    private int refusalPerMille;

    /** Everything works again. */
    public void clear() {
        mostLatencyMillis = CALM_MOST_MILLIS;
        mostLagMillis = CALM_LAG_MILLIS;
        troublePerMille = 0;
        refusalPerMille = 0;
    }

    /** Calls take up to this long each way, watches are up to {@code lagMillis} late. */
    public void slow(long latencyMillis, long lagMillis) {
        mostLatencyMillis = latencyMillis;
        mostLagMillis = lagMillis;
    }

    /** This share of calls is lost, before or after it took effect. */
    public void lose(int perMille) {
        troublePerMille = perMille;
    }

    /** This share of writes is refused. */
    public void refuse(int perMille) {
        refusalPerMille = perMille;
    }

    long latencyMillis(Dice dice) {
        return dice.between(LEAST_MILLIS, mostLatencyMillis);
    }

    long lagMillis(Dice dice) {
        return dice.between(LEAST_MILLIS, mostLagMillis);
    }

    /** What goes wrong with one call. */
    enum Fate {
        /** Nothing. */
        FINE,
        /** It never leaves. */
        NOT_SENT,
        /** It gets lost on its way, and nobody tells. */
        LOST_BEFORE,
        /** It is carried out, and the answer gets lost. */
        LOST_AFTER,
        /** It is carried out, and the answer is an error of the server's. */
        ERROR_AFTER,
        /** The server breaks before it is carried out. */
        ERROR_BEFORE,
        /** The server says no. */
        REFUSED
    }

    Fate next(Dice dice, boolean write) {
        if (troublePerMille > 0 && dice.chance(troublePerMille)) {
            return switch (dice.below(5)) {
                case 0 -> Fate.NOT_SENT;
                case 1 -> Fate.LOST_BEFORE;
                case 2 -> Fate.LOST_AFTER;
                case 3 -> Fate.ERROR_AFTER;
                default -> Fate.ERROR_BEFORE;
            };
        }
        return write && refusalPerMille > 0 && dice.chance(refusalPerMille) ? Fate.REFUSED : Fate.FINE;
    }
}
