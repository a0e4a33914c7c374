package com.gomomento.valkey.operator.harness.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** Keys that were written before a fault, spread over all slots, each with a value that follows from its name. */
public final class Canaries {

    private static final int COUNT = 3_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Supplier<List<String>> seeds;

    Canaries(Supplier<List<String>> seeds) {
        this.seeds = seeds;
    }

    /** Writes all of them. */
    void write() {
        SortedMap<String, List<String>> commands = new TreeMap<>();
        for (int i = 0; i < COUNT; i++) {
            commands.put(key(i), List.of("SET", key(i), value(i)));
        }
        try (ClusterClient client = new ClusterClient(seeds)) {
            client.callAll(PATIENCE, commands).forEach((key, reply) -> {
                if (reply instanceof Reply.Failure(String error)) {
                    throw new ScenarioFailure("canary " + key + " could not be written: " + error);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is wrong with those in the chosen slots; a sentence for each canary that is lost or differs. */
    public List<String> problems(IntPredicate slots) {
        SortedMap<String, List<String>> commands = new TreeMap<>();
        SortedMap<String, String> expected = new TreeMap<>();
        for (int i = 0; i < COUNT; i++) {
            if (slots.test(ClusterClient.slot(key(i)))) {
                commands.put(key(i), List.of("GET", key(i)));
                expected.put(key(i), value(i));
            }
        }
        List<String> problems = new ArrayList<>();
        try (ClusterClient client = new ClusterClient(seeds)) {
            client.callAll(PATIENCE, commands).forEach((key, reply) -> {
                switch (reply) {
                    case Reply.Text(String value) when value.equals(expected.get(key)) -> {}
                    case Reply.Nothing ignored -> problems.add("canary " + key + " is lost");
                    default -> problems.add("canary " + key + " reads " + reply);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return problems;
    }

    /** DATA: every canary must be there with its value. */
    public void assertAll() {
        List<String> problems = problems(slot -> true);
        if (!problems.isEmpty()) {
            throw new ScenarioFailure("DATA: " + problems.size() + " of " + COUNT + " canaries: "
                    + String.join("; ", problems.subList(0, Math.min(5, problems.size()))));
        }
    }

    private static String key(int i) {
        return "canary:" + i;
    }

    private static String value(int i) {
        return "value of " + i;
    }
}
