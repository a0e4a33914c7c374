package com.gomomento.valkey.operator.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.plan.HistoricalBug;
import com.gomomento.valkey.operator.sim.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Proof that the simulator can fail: operators with bugs that others have had break the invariant that is named for each. */
class HistoricalBugsTest {

    private static final long MOST_SEEDS = 2_000;

    private static final List<String> TABLE = new ArrayList<>();

    static Stream<HistoricalBug> bugs() {
        return HistoricalBug.all().stream();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void aBugThatOthersHaveHadBreaksTheInvariantAgainstIt(HistoricalBug bug) {
        SortedMap<String, Integer> others = new TreeMap<>();
        long seed = bug.from();
        Optional<Violation> found = violation(bug, seed, bug.program());
        while (!breaks(found, bug) && seed + 1 < bug.from() + MOST_SEEDS) {
            found.ifPresent(violation -> others.merge(violation.invariant(), 1, Integer::sum));
            seed++;
            found = violation(bug, seed, bug.program());
        }
        String sentence = found.map(Throwable::getMessage).orElse("nothing");
        TABLE.add(String.format(
                Locale.ROOT,
                "%-24s %-4s %4d from %4d  %s%s",
                bug,
                bug.invariant(),
                1 + seed - bug.from(),
                bug.from(),
                sentence,
                others.isEmpty() ? "" : "; before that " + others));
        assertThat(breaks(found, bug))
                .as("seeds %d to %d: %s, before that %s", bug.from(), seed, sentence, others)
                .isTrue();
        assertThat(violation(bug, seed, Program.PRODUCTION))
                .as("what is noticed of the operator as it is shipped in the same history, seed %d", seed)
                .isEmpty();
    }

    private static boolean breaks(Optional<Violation> found, HistoricalBug bug) {
        return found.filter(violation -> violation.invariant().startsWith(bug.invariant() + " "))
                .isPresent();
    }

    private static Optional<Violation> violation(HistoricalBug bug, long seed, Program program) {
        return Course.run(bug.histories().apply(seed), false, program).violation();
    }

    @AfterAll
    static void showTheTable() {
        System.out.println("bug, invariant, histories needed from which seed, what was noticed:");
        TABLE.forEach(System.out::println);
    }
}
