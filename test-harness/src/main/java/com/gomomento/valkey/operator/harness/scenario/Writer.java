package com.gomomento.valkey.operator.harness.scenario;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * 20 writes a second with a ledger of those that were acknowledged. Each key's values only grow, so that a lost write shows
 * as a smaller value, and one that was carried out without an acknowledgement does no harm.
 */
public final class Writer implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration READING = Duration.ofSeconds(20);
    private static final int KEYS = 400;

    private final Supplier<List<String>> seeds;
    private final SortedMap<String, Acknowledged> ledger = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final Thread thread;
    private long acknowledged;
    private volatile boolean stopped;

    Writer(Supplier<List<String>> seeds) {
        this.seeds = seeds;
        this.thread = Thread.ofVirtual().name("writer").start(this::write);
    }

    /** A write that the cluster promised to have done. */
    private record Acknowledged(long value, Instant at) {}

    private void write() {
        long counter = 0;
        try (ClusterClient client = new ClusterClient(seeds)) {
            while (!stopped) {
                counter++;
                String key = "ledger:" + counter % KEYS;
                try {
                    Reply reply = client.call(PATIENCE, key, "SET", key, Long.toString(counter));
                    note(key, counter, reply);
                } catch (IOException e) {
                    note(String.valueOf(e.getMessage()));
                }
                Patience.pause(INTERVAL);
            }
        } catch (ScenarioFailure e) {
            note(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void note(String key, long value, Reply reply) {
        if (reply instanceof Reply.Failure(String error)) {
            failures.add(error);
        } else {
            ledger.put(key, new Acknowledged(value, Instant.now()));
            acknowledged++;
        }
    }

    private synchronized void note(String failure) {
        failures.add(failure);
    }

    /** How many writes were acknowledged so far. */
    public synchronized long acknowledged() {
        return acknowledged;
    }

    /** What could not be written, in the servers' and the network's words. */
    public synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends the writing and waits for its last write. */
    public void stop() {
        stopped = true;
        try {
            thread.join(PATIENCE.plus(PATIENCE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * After {@link #stop}: the acknowledged writes that are not there any more.
     *
     * @param excused by the time of their acknowledgement: replication is asynchronous, so that what was written just before
     *     its primary's death may be lost
     */
    public synchronized List<String> lost(Predicate<Instant> excused) throws IOException {
        List<String> lost = new ArrayList<>();
        try (ClusterClient client = new ClusterClient(seeds)) {
            for (var entry : ledger.entrySet()) {
                Acknowledged promised = entry.getValue();
                Reply reply = client.call(READING, entry.getKey(), "GET", entry.getKey());
                long found = reply instanceof Reply.Text(String value) ? Long.parseLong(value) : -1;
                if (found < promised.value() && !excused.test(promised.at())) {
                    lost.add(entry.getKey() + " was " + promised.value() + " at " + promised.at() + ", reads " + reply);
                }
            }
        }
        return lost;
    }

    /** After {@link #stop}: DATA, no acknowledged write may be lost. */
    public void assertNothingLost() throws IOException {
        List<String> lost = lost(at -> false);
        if (!lost.isEmpty()) {
            throw new ScenarioFailure("DATA: acknowledged writes are lost: " + String.join("; ", lost));
        }
    }
}
