package com.gomomento.valkey.operator.sim.run;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the command line asks for.
 *
 * @param flags that stand alone
 * @param values of those that have one
 */
record Arguments(SortedSet<String> flags, SortedMap<String, String> values) {

    private static final long DEFAULT_SEEDS = 300;
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;
    private static final Set<String> FLAGS = Set.of("--trace", "--probe", "--small-scope");
    private static final Set<String> VALUES = Set.of("--seeds", "--from", "--minutes", "--seed", "--hash", "--story");

    static Arguments read(String... args) {
        Arguments read = new Arguments(new TreeSet<>(), new TreeMap<>());
        Iterator<String> words = List.of(args).iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (FLAGS.contains(word)) {
                read.flags.add(word);
            } else if (VALUES.contains(word) && words.hasNext()) {
                read.values.put(word, words.next());
            } else {
                throw new IllegalArgumentException(word + " is not known or needs a value; allowed are "
                        + new TreeSet<>(FLAGS) + " and, with a value, " + new TreeSet<>(VALUES));
            }
        }
        return read;
    }

    boolean trace() {
        return flags.contains("--trace");
    }

    /** Whether to disturb every step of every journey. */
    boolean probe() {
        return flags.contains("--probe");
    }

    /** Whether to go through every state of the smallest clusters. */
    boolean smallScope() {
        return flags.contains("--small-scope");
    }

    /** Name of a story to tell. */
    Optional<String> story() {
        return Optional.ofNullable(values.get("--story"));
    }

    /** The one seed to run. */
    OptionalLong seed() {
        return number("--seed");
    }

    /** The one seed of whose history only the hash is printed. */
    OptionalLong hash() {
        return number("--hash");
    }

    /** The first of many seeds. */
    long from() {
        return number("--from").orElse(1);
    }

    private OptionalLong number(String name) {
        String value = values.get(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + value + "', allowed is a number", e);
        }
    }

    /** Whether another seed is to be run after so many in so much time. */
    boolean goesOn(long done, long elapsedNanos) {
        OptionalLong minutes = number("--minutes");
        long seeds = number("--seeds").orElse(minutes.isPresent() ? Long.MAX_VALUE : DEFAULT_SEEDS);
        return done < seeds && (minutes.isEmpty() || elapsedNanos < minutes.getAsLong() * NANOS_PER_MINUTE);
    }
}
