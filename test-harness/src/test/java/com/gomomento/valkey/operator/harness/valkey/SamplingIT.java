package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.observe.LoadSample;
import com.gomomento.valkey.operator.core.observe.Utilization;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two samples of a real server under a load that is known. */
class SamplingIT {

    @ParameterizedTest
    @EnumSource
    void measuresALoad(Release release) {
        try (ValkeyServers servers = new ValkeyServers().with("maxmemory 100mb");
                GlideValkeyPort port = new GlideValkeyPort()) {
            ValkeyServer busy = servers.start(release);
            ValkeyServer dead = servers.start(release);
            new TestCluster(port, List.of(busy)).form(1);
            dead.kill();
            List<Target> targets = List.of(busy.target(), dead.target());
            assertThat(port.sample(targets)).containsOnlyKeys(busy.name());
            try (RespConnection client = busy.connect(ValkeyServers.TESTER, ValkeyServers.TESTER_PASSWORD)) {
                String value = "x".repeat(1000);
                LoadSample earlier = sample(port, busy);
                for (int i = 0; i < 2000; i++) {
                    client.call("SET", "key" + i, value);
                }
                LoadSample later = sample(port, busy);
                assertThat(Utilization.between(earlier, later, 1.0)).hasValueSatisfying(it -> {
                    double seconds = (later.serverTimeMicros() - earlier.serverTimeMicros()) / 1e6;
                    assertThat(it.opsPerSecond() * seconds).isBetween(2000.0, 2020.0);
                    assertThat(it.networkInBytesPerSecond() * seconds).isBetween(2_000_000.0, 2_200_000.0);
                    assertThat(it.networkOutBytesPerSecond()).isPositive();
                    assertThat(it.cpuPercent()).isBetween(0.1, 110.0);
                    assertThat(it.memoryMaxBytes()).isEqualTo(100L << 20);
                    assertThat(it.memoryPercent().orElse(0)).isBetween(2.0, 10.0);
                    assertThat(it.connectedClients()).isEqualTo(2);
                });
                busy.kill();
                busy.start();
                LoadSample restarted = sample(port, busy);
                assertThat(Utilization.between(later, restarted, 1.0)).isEmpty();
            }
        }
    }

    private static LoadSample sample(GlideValkeyPort port, ValkeyServer server) {
        return Optional.ofNullable(port.sample(List.of(server.target())).get(server.name()))
                .orElseThrow(() -> new AssertionError("no sample of " + server));
    }
}
