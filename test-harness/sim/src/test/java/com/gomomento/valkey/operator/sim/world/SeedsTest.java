package com.gomomento.valkey.operator.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Worlds full of faults. A failure names its seed; {@code ./dev sim --seed S --trace} shows its history. */
class SeedsTest {

    private static final long FIRST = 1;
    private static final long COUNT = 300;

    /** Every probe of a journey would take minutes; all of them are run by {@code ./dev sim --probe}. */
    private static final int STRIDE = 17;

    private static String failure(Course.Result result) {
        return result.violation()
                .map(violation -> "seed " + result.scenario().seed() + ": " + violation.getMessage())
                .orElse("");
    }

    @Test
    void noSeedOfAFixedRangeFails() {
        List<String> failures = LongStream.range(FIRST, FIRST + COUNT)
                .mapToObj(seed -> failure(Course.run(Scenarios.draw(seed), false)))
                .filter(failure -> !failure.isEmpty())
                .toList();
        assertThat(failures).isEmpty();
    }

    @Test
    void noSeedThatOnceFailedFailsAgain() throws IOException {
        List<String> failures = keptSeeds()
                .mapToObj(seed -> failure(Course.run(Scenarios.draw(seed), false)))
                .filter(failure -> !failure.isEmpty())
                .toList();
        assertThat(failures).isEmpty();
    }

    private static LongStream keptSeeds() throws IOException {
        try (InputStream file = Objects.requireNonNull(SeedsTest.class.getResourceAsStream("/kept-seeds.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> line.replaceAll("#.*", "").strip())
                            .filter(line -> !line.isEmpty())
                            .mapToLong(Long::parseLong)
                            .boxed()
                            .toList()
                            .stream()
                            .mapToLong(seed -> seed);
        }
    }

    static Stream<String> journeys() {
        return Journeys.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("journeys")
    void aCrashADeafWatchOrASecondOperatorAtAnyStepOfAJourneyDoesNoHarm(String name) {
        Scenario journey = Objects.requireNonNull(Journeys.all().get(name));
        for (Probe.Kind kind : Probe.Kind.values()) {
            long step = 1;
            boolean reached = true;
            while (reached) {
                Course.Result result = Course.run(journey.with(new Probe(kind, step)), false);
                assertThat(failure(result)).as(kind + " at step " + step).isEmpty();
                reached = result.counters().containsKey("probed " + kind);
                step += STRIDE;
            }
            assertThat(step).as("steps of " + name).isGreaterThan(2L * STRIDE);
        }
    }
}
