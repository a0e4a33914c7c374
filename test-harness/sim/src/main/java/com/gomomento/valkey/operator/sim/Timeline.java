package com.gomomento.valkey.operator.sim;

import com.gomomento.valkey.operator.core.model.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/**
 * Virtual time and what is to happen in it. Events of one moment happen in the order in which they were planned. An event may
 * itself let time pass ({@link #pass}): what is due meanwhile then happens inside of it, as other processes go on while one
 * waits for an answer.
 */
public final class Timeline {

    /** The moment at which every world begins. */
    public static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowMillis;
    private long planned;
    private long happened;

    private record Event(long atMillis, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atMillis != other.atMillis
                    ? Long.compare(atMillis, other.atMillis)
                    : Long.compare(number, other.number);
        }
    }

    /** Milliseconds since the world began. */
    public long nowMillis() {
        return nowMillis;
    }

    /** The time as the operator sees it. */
    public Instant now() {
        return BEGINNING.plusMillis(nowMillis);
    }

    /** Events that have happened so far. */
    public long happened() {
        return happened;
    }

    /** Plans an event {@code delayMillis}, 0 or more, from now. */
    public void after(long delayMillis, Runnable what) {
        Check.atLeast("delay in ms", 0, delayMillis);
        planned++;
        events.add(new Event(nowMillis + delayMillis, planned, what));
    }

    /** Lets {@code duration} pass with all that is due in it. */
    public void pass(Duration duration) {
        passUntil(nowMillis + duration.toMillis());
    }

    /** Lets time pass until {@code millis}; no effect if that is past. */
    public void passUntil(long millis) {
        while (true) {
            Event next = events.peek();
            if (next == null || next.atMillis() > millis) {
                break;
            }
            events.remove();
            // An event that let time pass may have been overtaken by what was due inside of it.
            nowMillis = Math.max(nowMillis, next.atMillis());
            happened++;
            next.what().run();
        }
        nowMillis = Math.max(nowMillis, millis);
    }
}
