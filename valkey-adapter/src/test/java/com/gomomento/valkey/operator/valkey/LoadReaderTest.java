package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadReaderTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final String INFO = """
            # Server
            run_id:a8492c013d71d2e16f69cb093c34e6259018e641
            server_time_usec:1796070906606918
            # Clients
            connected_clients:4
            # Memory
            used_memory:3103032
            maxmemory:104857600
            mem_not_counted_for_evict:3032
            # CPU
            used_cpu_sys:0.25
            used_cpu_user:0.50
            # Stats
            total_commands_processed:871
            total_net_input_bytes:31457
            total_net_output_bytes:512180
            """;

    @Test
    void readsCounters() {
        assertThat(LoadReader.read(List.of(new Reply.Text(INFO)), NOW)).hasValueSatisfying(sample -> {
            assertThat(sample.takenAt()).isEqualTo(NOW);
            assertThat(sample.cpuSeconds()).isEqualTo(0.75);
            assertThat(sample.memoryUsedBytes()).isEqualTo(3_100_000);
            assertThat(sample.memoryMaxBytes()).isEqualTo(104_857_600);
            assertThat(sample.commands()).isEqualTo(871);
            assertThat(sample.connectedClients()).isEqualTo(4);
        });
    }

    @Test
    void givesNothingForHalfAnAnswer() {
        for (String line : INFO.lines().filter(it -> !it.startsWith("#")).toList()) {
            assertThat(LoadReader.read(List.of(new Reply.Text(INFO.replace(line + "\n", ""))), NOW))
                    .as("without %s", line)
                    .isEmpty();
        }
        assertThat(LoadReader.read(List.of(new Reply.Refusal("LOADING the data set")), NOW))
                .isEmpty();
    }
}
