package com.gomomento.valkey.operator.sim.scope;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.plan.HistoricalBug;
import com.gomomento.valkey.operator.sim.check.Violation;
import com.gomomento.valkey.operator.sim.world.Program;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every state of the smallest clusters. The larger ones take longer and are gone through by {@code ./dev sim --small-scope}. */
class SmallScopeTest {

    private static final int MOST_STATES = 200_000;
    private static final int QUICK = 7;

    private static SmallScope.Result explore(Scope scope, Program program) {
        SmallScope.Result result = SmallScope.explore(scope, program, MOST_STATES);
        System.out.println(result);
        return result;
    }

    static Stream<Scope> quick() {
        return Scope.all().stream().limit(QUICK);
    }

    static Stream<Scope> quickAndLargest() {
        return Stream.concat(quick(), Stream.of(Scope.all().getLast()));
    }

    @ParameterizedTest
    @MethodSource("quickAndLargest")
    void inNoStateAnOperatorDoesWhatItMustNot(Scope scope) {
        SmallScope.Result result = explore(scope, Program.PRODUCTION);
        assertThat(result.violation()).as("after %s", result.path()).isEmpty();
        assertThat(result.complete()).isTrue();
    }

    /** A cluster that stands and loses anything once comes back from every state; so does one that nothing befalls. */
    @ParameterizedTest
    @MethodSource("quick")
    void fromEveryStateAWayLeadsToAllAsWished(Scope scope) {
        boolean shrinksUnderFaults = scope.faults() > 0 && scope.thenShards() < scope.shards();
        SmallScope.Result result = explore(scope, Program.PRODUCTION);
        assertThat(result.goals()).isPositive();
        if (!shrinksUnderFaults) {
            assertThat(result.traps()).as("after %s", result.path()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ForgetBeforeTheVote, S7 Forget after failover",
        "ForgetWithoutALook, S6 Drain",
        "ForgetWhileThePodEnds, S8 Forget is final"
    })
    void aKnownBugIsFound(String name, String invariant) {
        Program program = HistoricalBug.all().stream()
                .filter(bug -> bug.name().equals(name))
                .findFirst()
                .orElseThrow()
                .program();
        List<String> found = quick().filter(scope -> scope.faults() > 0 || scope.thenShards() < scope.shards())
                .flatMap(scope -> explore(scope, program).violation().stream())
                .map(Violation::invariant)
                .toList();
        assertThat(found).contains(invariant);
    }

    @Test
    void theSameScopeHasTheSameStatesEachTime() {
        Scope scope = Scope.all().get(1);
        assertThat(explore(scope, Program.PRODUCTION)).isEqualTo(explore(scope, Program.PRODUCTION));
    }
}
