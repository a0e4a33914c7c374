package com.gomomento.valkey.operator.sim;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.List;

/**
 * The only source of chance in a simulated world: SplitMix64, written out here so that a seed means the same on every Java
 * runtime for ever.
 */
public final class Dice {

    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** Dice that fall as {@code seed} says. */
    public Dice(long seed) {
        this.state = seed;
    }

    /** Dice of their own for one part of the world, so that a roll more in one place changes nothing elsewhere. */
    public Dice split() {
        return new Dice(next());
    }

    /** Any 64 bits. */
    public long next() {
        state += GAMMA;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** 0 to {@code bound - 1}; {@code bound} is 1 or more. */
    public int below(int bound) {
        Check.atLeast("bound", 1, bound);
        return (int) Long.remainderUnsigned(next(), bound);
    }

    /** {@code least} to {@code most}, both included. */
    public long between(long least, long most) {
        Check.that(least <= most, "no number from " + least + " to " + most);
        return least + Long.remainderUnsigned(next(), most - least + 1);
    }

    /** True in {@code perMille} of 1000 cases. */
    public boolean chance(int perMille) {
        return below(1000) < perMille;
    }

    /** One of {@code choices}, which are not empty. */
    public <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
