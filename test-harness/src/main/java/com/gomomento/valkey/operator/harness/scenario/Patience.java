package com.gomomento.valkey.operator.harness.scenario;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Waiting, never for ever. What is waited for is asked again and again until it holds; a server that can't be asked just now
 * is one more thing that does not hold yet. When the time is over, the last answer is told.
 */
public final class Patience {

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int MAX_TOLD = 12;

    private Patience() {}

    /** Waits until {@code problems} finds none. */
    public static void untilNone(Duration limit, String what, Supplier<List<String>> problems) {
        untilPresent(limit, what, () -> {
            List<String> found = problems.get();
            return found.isEmpty() ? new Seen<>(Optional.of(true), "") : new Seen<>(Optional.empty(), told(found));
        });
    }

    /** Waits until {@code value} is there, and returns it. */
    public static <T> T untilFound(Duration limit, String what, Supplier<Optional<T>> value) {
        return untilPresent(limit, what, () -> new Seen<>(value.get(), "nothing of it yet"));
    }

    /** Waits until {@code holds}. */
    public static void until(Duration limit, String what, Supplier<Boolean> holds) {
        untilPresent(
                limit, what, () -> new Seen<>(holds.get() ? Optional.of(true) : Optional.empty(), "it does not hold"));
    }

    /** Looks for {@code duration} whether something happens that must not: {@code problems} must find none each time. */
    public static void throughout(Duration duration, String what, Supplier<List<String>> problems) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            List<String> found = problems.get();
            if (!found.isEmpty()) {
                throw new ScenarioFailure(what + ": " + told(found));
            }
            pause(PAUSE);
        }
    }

    /** Sleeps; an interrupt ends the scenario. */
    public static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ScenarioFailure("interrupted", e);
        }
    }

    private record Seen<T>(Optional<T> value, String otherwise) {}

    private static <T> T untilPresent(Duration limit, String what, Supplier<Seen<T>> look) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            Seen<T> seen;
            try {
                seen = look.get();
            } catch (KubernetesClientException | UncheckedIOException e) {
                seen = new Seen<>(Optional.empty(), String.valueOf(e.getMessage()));
            }
            if (seen.value().isPresent()) {
                return seen.value().get();
            }
            if (System.nanoTime() > end) {
                throw new ScenarioFailure(
                        "waited " + limit.toSeconds() + " s for " + what + ", in vain: " + seen.otherwise());
            }
            pause(PAUSE);
        }
    }

    private static String told(List<String> problems) {
        String all = String.join("; ", problems.subList(0, Math.min(MAX_TOLD, problems.size())));
        return problems.size() > MAX_TOLD ? all + "; and " + (problems.size() - MAX_TOLD) + " more" : all;
    }
}
