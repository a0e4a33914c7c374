package com.gomomento.valkey.operator.harness.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.scenario.LeavesOperatorAlone;
import com.gomomento.valkey.operator.harness.scenario.OperatorLog;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import com.gomomento.valkey.operator.harness.scenario.ValkeyClusterHandle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code RUST_LOG} on the real process: copies of the shipped operator that may only look, beside the one that works. */
@ScenarioTest
@LeavesOperatorAlone
class RustLogIT {

    private static final Duration FORMED = Duration.ofMinutes(2);
    private static final Duration BEAT = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(20);

    /** 128 + SIGTERM. */
    private static final int ENDED_BY_SIGTERM = 143;

    private static final String REFUSED = "ignoring ` operator=debug`: error parsing level filter: expected one of"
            + " \"off\", \"error\", \"warn\", \"info\", \"debug\", \"trace\", or a number 0-5";

    @Test
    void decidesWhatTheProcessPrints(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 0);
        scenario.check(cluster).settled(FORMED);
        try (GuestOperator unset = GuestOperator.watching(scenario, "unset", Map.of());
                GuestOperator off = GuestOperator.watching(scenario, "off", Map.of("RUST_LOG", "off"));
                GuestOperator noAcl = GuestOperator.watching(
                        scenario, "no-acl", Map.of("RUST_LOG", "info,operator::controller::acl=off"));
                GuestOperator invalid =
                        GuestOperator.watching(scenario, "invalid", Map.of("RUST_LOG", "info, operator=debug"))) {
            List<GuestOperator> speaking = List.of(noAcl, invalid);
            List<GuestOperator> all = List.of(unset, off, noAcl, invalid);
            all.forEach(GuestOperator::awaitRunning);
            speaking.forEach(guest -> guest.awaitLine("active tick", BEAT));
            speaking.forEach(guest -> guest.awaitLine("TLS reconcile tick", BEAT));
            invalid.awaitLine("ACL reconcile tick", BEAT);

            greetsNobody(invalid);
            assertThat(noAcl.lines()).noneMatch(line -> line.message().equals("ACL reconcile tick"));

            all.forEach(GuestOperator::terminate);
            all.forEach(RustLogIT::endsCleanly);
            assertThat(unset.printed()).as("RUST_LOG unset").isEmpty();
            assertThat(off.printed()).as("RUST_LOG=off").isEmpty();
            assertThat(LogLine.problems(noAcl.printed(), onStandardError -> false))
                    .isEmpty();
            assertThat(LogLine.problems(invalid.printed(), REFUSED::equals)).isEmpty();
            assertThat(invalid.printed().stream().map(OperatorLog.Line::text))
                    .as("before anything is logged")
                    .startsWith(REFUSED);
        }
    }

    /** There is no line at start: outside of reconciles only trouble is told, and its end. */
    private static void greetsNobody(GuestOperator guest) {
        assertThat(guest.lines())
                .filteredOn(line -> line.cluster().isEmpty())
                .allMatch(line ->
                        line.message().startsWith("watch ") || line.level().equals("WARN"));
    }

    private static void endsCleanly(GuestOperator guest) {
        assertThat(guest.awaitEnd(END).getExitCode()).isEqualTo(ENDED_BY_SIGTERM);
    }
}
