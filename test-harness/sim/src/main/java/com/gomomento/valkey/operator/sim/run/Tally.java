package com.gomomento.valkey.operator.sim.run;

import com.gomomento.valkey.operator.sim.world.Course;
import com.gomomento.valkey.operator.sim.world.Sometimes;
import java.io.PrintStream;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What many worlds came to: proof that rare branches were reached, and how long it took to heal. */
final class Tally {

    private final SortedMap<String, Long> reached = new TreeMap<>();
    private final SortedMap<String, Long> looks = new TreeMap<>();
    private final SortedMap<String, Long> failures = new TreeMap<>();
    private long seeds;
    private long failed;
    private long longestMillis;

    void add(Course.Result result) {
        seeds++;
        result.counters().forEach((what, times) -> reached.merge(what, times, Long::sum));
        result.looks().forEach((what, times) -> looks.merge(what, times, Long::sum));
        longestMillis = Math.max(longestMillis, result.convergedMillis());
        result.violation().ifPresent(violation -> {
            failed++;
            failures.merge(violation.invariant(), 1L, Long::sum);
        });
    }

    long seeds() {
        return seeds;
    }

    long failed() {
        return failed;
    }

    /** What should have happened in so many worlds and did not; nothing is asked of few worlds. */
    SortedSet<String> neverReached() {
        SortedSet<String> missing = new TreeSet<>();
        if (seeds >= Sometimes.WORLDS) {
            missing.addAll(Sometimes.required());
            missing.removeAll(reached.keySet());
        }
        return missing;
    }

    void print(PrintStream out) {
        print(out, "Reached:", reached);
        print(out, "Checked:", looks);
        if (failed > 0) {
            print(out, "Failed:", failures);
        }
        out.println("Longest way from the end of all faults to all as wished: " + longestMillis / 1000 + " s");
    }

    private static void print(PrintStream out, String title, SortedMap<String, Long> numbers) {
        out.println(title);
        for (Map.Entry<String, Long> entry : numbers.entrySet()) {
            out.println("  " + entry.getValue() + "  " + entry.getKey());
        }
    }
}
