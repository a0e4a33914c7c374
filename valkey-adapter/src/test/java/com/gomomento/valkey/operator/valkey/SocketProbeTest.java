package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The answers that a healthy valkey-server can't be brought to give; the others are in the integration tests. */
class SocketProbeTest {

    private static final Duration LIMIT = Duration.ofMillis(300);

    private static Target target(int port) {
        return new Target(new NodeName("a"), "127.0.0.1", port, SecretText.of("s3cret"));
    }

    /** Knocks at something that takes the greeting, answers {@code bytes} with a pause after each, and then waits. */
    private static Optional<Unreachable> knock(String bytes, int pauseMillis) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.startVirtualThread(() -> answer(server, bytes, pauseMillis));
            try {
                return SocketProbe.knock(target(server.getLocalPort()), LIMIT);
            } finally {
                answering.interrupt();
            }
        }
    }

    private static void answer(ServerSocket server, String bytes, int pauseMillis) {
        try (Socket client = server.accept()) {
            for (byte next : bytes.getBytes(StandardCharsets.UTF_8)) {
                client.getOutputStream().write(next);
                Thread.sleep(pauseMillis);
            }
            Thread.sleep(2000);
        } catch (IOException | InterruptedException e) {
            // The prober has gone.
            return;
        }
    }

    @Test
    void findsNothingWrongWithAGoodAnswer() throws IOException {
        assertThat(knock("+OK\r\n+PONG\r\n", 0)).isEmpty();
        assertThat(knock("+OK\r\n-MASTERDOWN Link with MASTER is down\r\n", 0)).isEmpty();
    }

    @Test
    void tellsAnswersApart() throws IOException {
        assertThat(knock("-WRONGPASS invalid username-password pair\r\n", 0))
                .hasValue(new Unreachable(Reason.AUTHENTICATION, "WRONGPASS invalid username-password pair"));
        assertThat(knock("+OK\r\n-LOADING Valkey is loading the dataset in memory\r\n", 0))
                .hasValue(new Unreachable(Reason.LOADING, "LOADING Valkey is loading the dataset in memory"));
        assertThat(knock("-ERR max number of clients reached\r\n", 0))
                .hasValue(new Unreachable(Reason.OTHER, "ERR max number of clients reached"));
        assertThat(knock("HTTP/1.1 400 Bad Request\r\n", 0))
                .hasValueSatisfying(it -> assertThat(it.detail()).contains("no valkey-server"));
        assertThat(knock("x".repeat(5000), 0))
                .hasValueSatisfying(it -> assertThat(it.detail()).contains("no valkey-server"));
    }

    @Test
    void waitsNoLongerForOneThatDribbles() throws IOException {
        long start = System.nanoTime();
        assertThat(knock("+OK and so on and on and on", 100))
                .hasValue(new Unreachable(Reason.TIMEOUT, "no answer within 300 ms"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1500));
    }

    @Test
    void tellsARefusedConnection() throws IOException {
        int closed;
        try (ServerSocket server = new ServerSocket(0)) {
            closed = server.getLocalPort();
        }
        assertThat(SocketProbe.knock(target(closed), LIMIT))
                .hasValueSatisfying(it -> assertThat(it.reason()).isEqualTo(Reason.REFUSED));
    }

    @Test
    void showsNoSecretThatIsEchoed() throws IOException {
        assertThat(knock("-ERR what is s3cret\r\n", 0))
                .hasValueSatisfying(it -> assertThat(it.detail()).isEqualTo("ERR what is [redacted]"));
    }
}
