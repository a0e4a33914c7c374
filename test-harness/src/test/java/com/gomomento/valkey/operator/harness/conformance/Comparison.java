package com.gomomento.valkey.operator.harness.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Tells both sides the same and compares what they show. The model goes first, by as much virtual time as any of its
 * processes takes to end; the real side is then given time to come to the same, and must stay there for a moment.
 */
final class Comparison {

    /** A short one, since failures are waited for. */
    static final long NODE_TIMEOUT_MILLIS = 1000;

    private static final Duration MODEL_SETTLES = Duration.ofSeconds(15);
    private static final long LIMIT_MILLIS = 20_000;
    private static final long POLL_MILLIS = 100;
    private static final int POLLS_ALIKE = 4;

    private final ModelSide model;
    private final RealSide real;
    private final List<String> differences = new ArrayList<>();

    Comparison(ModelSide model, RealSide real) {
        this.model = model;
        this.real = real;
    }

    List<String> differences() {
        return differences;
    }

    void tell(Command command) {
        String modelled = model.run(command);
        String replied = real.run(command);
        if (!modelled.equals(replied)) {
            differences.add(command + ": model '" + modelled + "', real '" + replied + "'");
        }
    }

    void settle() {
        model.settle(MODEL_SETTLES);
        SortedMap<String, String> expected = model.look();
        long end = System.nanoTime() + Duration.ofMillis(LIMIT_MILLIS).toNanos();
        int alike = 0;
        SortedMap<String, String> seen = real.look();
        while (alike < POLLS_ALIKE && System.nanoTime() < end) {
            pause();
            seen = real.look();
            alike = seen.equals(expected) ? alike + 1 : 0;
        }
        if (alike < POLLS_ALIKE) {
            compare(expected, seen);
        }
    }

    private void compare(SortedMap<String, String> expected, SortedMap<String, String> seen) {
        TreeSet<String> subjects = new TreeSet<>(expected.keySet());
        subjects.addAll(seen.keySet());
        for (String subject : subjects) {
            String modelled = expected.getOrDefault(subject, "nothing");
            String real = seen.getOrDefault(subject, "nothing");
            if (!modelled.equals(real)) {
                differences.add(subject + ": model '" + modelled + "', real '" + real + "'");
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
