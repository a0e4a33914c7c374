package com.gomomento.valkey.operator.sim.run;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the command line asks for.
 *
 * @param seed the one seed to run
 * @param hash the one seed of whose history only the hash is printed
 * @param trace whether to print everything that happens
 * @param story name of a story to tell
 * @param from the first of many seeds
 * @param seeds how many; {@link Long#MAX_VALUE} when time decides
 * @param minutes how long; {@link Long#MAX_VALUE} when the number decides
 */
record Arguments(
        OptionalLong seed,
        OptionalLong hash,
        boolean trace,
        Optional<String> story,
        long from,
        long seeds,
        long minutes) {

    private static final long DEFAULT_SEEDS = 300;
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;

    static Arguments read(String... args) {
        Arguments read = new Arguments(
                OptionalLong.empty(), OptionalLong.empty(), false, Optional.empty(), 1, DEFAULT_SEEDS, Long.MAX_VALUE);
        Iterator<String> words = List.of(args).iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("--trace")) {
                read = new Arguments(read.seed, read.hash, true, read.story, read.from, read.seeds, read.minutes);
            } else if (words.hasNext()) {
                read = read.with(word, words.next());
            } else {
                throw new IllegalArgumentException(word + " is not known, or needs a value");
            }
        }
        return read;
    }

    private Arguments with(String name, String value) {
        return switch (name) {
            case "--story" -> new Arguments(seed, hash, trace, Optional.of(value), from, seeds, minutes);
            case "--seed" ->
                new Arguments(OptionalLong.of(number(name, value)), hash, trace, story, from, seeds, minutes);
            case "--hash" ->
                new Arguments(seed, OptionalLong.of(number(name, value)), trace, story, from, seeds, minutes);
            case "--from" -> new Arguments(seed, hash, trace, story, number(name, value), seeds, minutes);
            case "--seeds" -> new Arguments(seed, hash, trace, story, from, number(name, value), Long.MAX_VALUE);
            case "--minutes" -> new Arguments(seed, hash, trace, story, from, Long.MAX_VALUE, number(name, value));
            default ->
                throw new IllegalArgumentException(name
                        + " is not known; allowed are --seeds, --from, --minutes, --seed, --trace, --hash, --story");
        };
    }

    private static long number(String name, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + value + "', allowed is a number", e);
        }
    }

    boolean goesOn(long done, long elapsedNanos) {
        return done < seeds && (minutes == Long.MAX_VALUE || elapsedNanos < minutes * NANOS_PER_MINUTE);
    }
}
