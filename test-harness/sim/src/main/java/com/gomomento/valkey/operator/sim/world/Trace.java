package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.sim.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What happened, line by line. Its hash tells whether two runs were the same; the lines themselves are kept only where
 * somebody is going to read them.
 */
public final class Trace {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final Timeline timeline;
    private final boolean keep;
    private final List<Line> lines = new ArrayList<>();
    private long hash = FNV_OFFSET;
    private long count;

    /**
     * One thing that happened.
     *
     * @param millis since the world began
     * @param who the part of the world
     * @param what in words
     */
    public record Line(long millis, String who, String what) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%10.3f s  %-12s %s", millis / 1000.0, who, what);
        }
    }

    /** An empty trace; {@code keep} tells whether its lines can be read later. */
    public Trace(Timeline timeline, boolean keep) {
        this.timeline = timeline;
        this.keep = keep;
    }

    /** Adds a line. */
    public void tell(String who, String what) {
        count++;
        mix(timeline.nowMillis());
        mix(who);
        mix(what);
        if (keep) {
            lines.add(new Line(timeline.nowMillis(), who, what));
        }
    }

    /** Lines, if they are kept. */
    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /** Tells two traces apart, whether their lines are kept or not. */
    public String hash() {
        return String.format(Locale.ROOT, "%016x-%d", hash, count);
    }

    private void mix(String text) {
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        mix(text.length());
    }

    private void mix(long number) {
        hash = (hash ^ number) * FNV_PRIME;
    }
}
