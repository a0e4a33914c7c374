package com.gomomento.valkey.operator.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class UtilizationTest {

    private static final Instant THEN = Instant.parse("2026-11-30T12:00:00Z");
    private static final LoadSample EARLIER =
            new LoadSample("run-a", THEN, 5_000_000, 10.0, 500, 2000, 1000, 3, 10_000, 20_000);

    private static LoadSample later(String run, double cpu, long commands, long in, long out, long maxmemory) {
        return new LoadSample(run, THEN.plusSeconds(31), 35_000_000, cpu, 1500, maxmemory, commands, 7, in, out);
    }

    @Test
    void dividesByTheServersOwnTime() {
        assertThat(Utilization.between(EARLIER, later("run-a", 16.0, 4000, 40_000, 80_000, 2000), 0.5))
                .hasValueSatisfying(it -> {
                    assertThat(it.cpuPercent()).isCloseTo(40.0, within(1e-9));
                    assertThat(it.memoryPercent()).hasValue(75.0);
                    assertThat(it.memoryUsedBytes()).isEqualTo(1500);
                    assertThat(it.opsPerSecond()).isCloseTo(100.0, within(1e-9));
                    assertThat(it.connectedClients()).isEqualTo(7);
                    assertThat(it.networkInBytesPerSecond()).isCloseTo(1000.0, within(1e-9));
                    assertThat(it.networkOutBytesPerSecond()).isCloseTo(2000.0, within(1e-9));
                    assertThat(it.sampledAt()).isEqualTo(THEN.plusSeconds(31));
                });
    }

    @Test
    void knowsNoShareOfAMemoryWithoutLimit() {
        assertThat(Utilization.between(EARLIER, later("run-a", 16.0, 4000, 40_000, 80_000, 0), 1))
                .hasValueSatisfying(it -> assertThat(it.memoryPercent()).isEmpty());
    }

    @Test
    void comparesNothingAcrossARestartOrAReset() {
        assertThat(Utilization.between(EARLIER, later("run-b", 16.0, 4000, 40_000, 80_000, 0), 1))
                .isEmpty();
        assertThat(Utilization.between(EARLIER, later("run-a", 9.0, 4000, 40_000, 80_000, 0), 1))
                .isEmpty();
        assertThat(Utilization.between(EARLIER, later("run-a", 16.0, 5, 40_000, 80_000, 0), 1))
                .isEmpty();
        assertThat(Utilization.between(EARLIER, later("run-a", 16.0, 4000, 5, 80_000, 0), 1))
                .isEmpty();
        assertThat(Utilization.between(EARLIER, later("run-a", 16.0, 4000, 40_000, 5, 0), 1))
                .isEmpty();
        assertThat(Utilization.between(EARLIER, EARLIER, 1)).isEmpty();
    }

    @Test
    void refusesAMemberWithoutCpu() {
        assertThatThrownBy(() -> Utilization.between(EARLIER, EARLIER, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
