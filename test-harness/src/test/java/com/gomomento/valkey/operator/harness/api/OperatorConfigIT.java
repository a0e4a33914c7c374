package com.gomomento.valkey.operator.harness.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.logs.GuestOperator;
import com.gomomento.valkey.operator.harness.logs.LogLine;
import com.gomomento.valkey.operator.harness.scenario.LeavesOperatorAlone;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** B47 e: the operator's own configuration is invalid. */
@ScenarioTest
@LeavesOperatorAlone
class OperatorConfigIT {

    private static final Duration END = Duration.ofMinutes(2);

    @Test
    void anUnknownZoneSpreadStopsTheProcessAtItsStart(Scenario scenario) {
        scenario.bench()
                .client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("valkey-operator-config")
                        .withNamespace(scenario.namespace())
                        .endMetadata()
                        .addToData("defaultZoneSpread", "sideways")
                        .build())
                .create();
        try (GuestOperator guest = GuestOperator.watching(scenario, "sideways", Map.of("RUST_LOG", "info"))) {
            assertThat(guest.awaitEnd(END).getExitCode()).isEqualTo(1);
            assertThat(LogLine.problems(guest.printed(), onStandardError -> false))
                    .isEmpty();
            assertThat(guest.lines()).singleElement().satisfies(line -> {
                assertThat(line.level()).isEqualTo("ERROR");
                assertThat(line.message()).isEqualTo("operator configuration is invalid, stopping");
                assertThat(line.field("error").asText())
                        .contains("defaultZoneSpread", "'sideways'", "bestEffort or required");
            });
        }
    }
}
