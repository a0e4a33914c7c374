package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Servers that don't answer: each is told apart, none delays another, and none leaves anything behind. */
class SilenceIT {

    /** The limits of an observation add up to 1.6 s; the rest is for a busy machine. */
    private static final Duration OBSERVATION = Duration.ofMillis(2600);

    private static final Release RELEASE = Release.V9_1;

    private static Reason reason(NodeReport report) {
        if (report instanceof Unreachable silent) {
            assertThat(silent.detail()).isNotBlank();
            return silent.reason();
        }
        throw new AssertionError("not silent: " + report);
    }

    private static NodeReport report(GlideValkeyPort port, Target target) {
        return TestCluster.of(port.observe(List.of(target)), target.name());
    }

    private static <T> T within(Duration limit, Supplier<T> task) {
        long start = System.nanoTime();
        T result = task.get();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(limit);
        return result;
    }

    @Test
    void aFrozenServerDelaysNobodyAndIsSeenAgainWhenItThaws() {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            List<ValkeyServer> members = servers.start(RELEASE, 3);
            TestCluster cluster = new TestCluster(port, members);
            cluster.awaitAll("answers", node -> true);
            ValkeyServer frozen = members.getFirst();
            frozen.freeze();
            for (int round = 0; round < 3; round++) {
                SortedMap<NodeName, NodeReport> reports = within(OBSERVATION, cluster::observe);
                assertThat(reason(TestCluster.of(reports, frozen.name()))).isEqualTo(Reason.TIMEOUT);
                assertThat(reports.values())
                        .filteredOn(Reachable.class::isInstance)
                        .hasSize(2);
            }
            frozen.thaw();
            Eventually.holds(
                    "an answer after the thaw", Duration.ofSeconds(5), () -> cluster.look(frozen) instanceof Reachable);
        }
    }

    @Test
    void aDeadServerIsRefusedAndSeenAgainAtOnceWhenItReturns() {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            ValkeyServer member = servers.start(RELEASE);
            TestCluster cluster = new TestCluster(port, List.of(member));
            assertThat(cluster.report(member).id()).isNotNull();
            member.kill();
            assertThat(reason(within(OBSERVATION, () -> cluster.look(member)))).isEqualTo(Reason.REFUSED);
            member.start();
            assertThat(cluster.look(member)).isInstanceOf(Reachable.class);
            // Dead and back between two observations: the connection that was left open is broken.
            member.kill();
            member.start();
            assertThat(cluster.look(member)).isInstanceOf(Reachable.class);
        }
    }

    @Test
    void aWrongPasswordIsToldAsSuchAndNotShown() {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            Target right = servers.start(RELEASE).target();
            Target wrong = new Target(right.name(), right.ip(), right.port(), SecretText.of("wrong-and-secret"));
            assertThat(report(port, wrong)).isInstanceOfSatisfying(Unreachable.class, silent -> {
                assertThat(silent.reason()).isEqualTo(Reason.AUTHENTICATION);
                assertThat(silent.detail()).startsWith("WRONGPASS").doesNotContain("secret");
            });
            assertThat(report(port, right)).isInstanceOf(Reachable.class);
            // A connection that is open says nothing of another password.
            assertThat(reason(report(port, wrong))).isEqualTo(Reason.AUTHENTICATION);
        }
    }

    @Test
    void aServerThatLoadsItsDataIsToldAsSuch() {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            ValkeyServer member = servers.start(RELEASE);
            TestCluster cluster = new TestCluster(port, List.of(member));
            cluster.form(1);
            assertThat(member.call("EVAL", "for i = 1, 3000 do redis.call('SET', '{x}' .. i, i) end return 1", "0"))
                    .isEqualTo("1");
            assertThat(member.call("SAVE")).isEqualTo("OK");
            member.kill();
            // 2 ms a key.
            member.configure("key-load-delay 2000");
            member.configure("loading-process-events-interval-bytes 1024");
            member.start();
            assertThat(reason(within(OBSERVATION, () -> cluster.look(member)))).isEqualTo(Reason.LOADING);
            Eventually.holds("loaded", Duration.ofSeconds(30), () -> cluster.look(member) instanceof Reachable);
        }
    }

    @Test
    void sixtyDeadAddressesCostOneWait() throws IOException {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort();
                Deaf deaf = new Deaf(servers.freeAddress(0))) {
            List<Target> targets = new ArrayList<>();
            targets.add(servers.start(RELEASE).target());
            for (int i = 0; i < 60; i++) {
                String ip = i % 2 == 0 ? deaf.address() : servers.freeAddress(i);
                targets.add(new Target(new NodeName("dead-" + i), ip, ValkeyServer.PORT, SecretText.of("any")));
            }
            for (int round = 0; round < 3; round++) {
                SortedMap<NodeName, NodeReport> reports = within(OBSERVATION, () -> port.observe(targets));
                assertThat(reports.values())
                        .filteredOn(Reachable.class::isInstance)
                        .hasSize(1);
                assertThat(reports.values().stream()
                                .filter(Unreachable.class::isInstance)
                                .map(SilenceIT::reason))
                        .containsOnly(Reason.TIMEOUT, Reason.REFUSED)
                        .hasSize(60);
            }
        }
    }

    @Test
    void everythingIsGivenBack() throws IOException {
        try (ValkeyServers servers = new ValkeyServers()) {
            List<ValkeyServer> members = servers.start(RELEASE, 4);
            disturb(members);
            // The first round loads GLIDE's library, which keeps some of both.
            long files = count("/proc/self/fd");
            long threads = count("/proc/self/task");
            for (int round = 0; round < 5; round++) {
                disturb(members);
            }
            // GLIDE lets go of a closed connection within some seconds.
            Eventually.holds("files given back", Duration.ofSeconds(15), () -> count("/proc/self/fd") <= files);
            // Pools may have grown by a thread or two; what must not happen is a thread a connection.
            assertThat(count("/proc/self/task")).isLessThanOrEqualTo(threads + 4);
        }
    }

    private static void disturb(List<ValkeyServer> members) throws IOException {
        try (GlideValkeyPort port = new GlideValkeyPort()) {
            TestCluster cluster = new TestCluster(port, members);
            cluster.awaitAll("answers", node -> true);
            members.getFirst().freeze();
            cluster.observe();
            cluster.observe();
            members.getFirst().thaw();
            members.get(1).kill();
            cluster.observe();
            members.get(1).start();
            cluster.awaitAll("answers", node -> true);
        }
    }

    private static long count(String folder) {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void unusedAndSurplusConnectionsAreClosed() {
        GlideValkeyPort.Settings settings = new GlideValkeyPort.Settings(
                Duration.ofMillis(600), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(1), 2, 64);
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort(settings, InstantSource.system())) {
            List<ValkeyServer> members = servers.start(RELEASE, 3);
            TestCluster cluster = new TestCluster(port, members);
            cluster.awaitAll("answers", node -> true);
            assertThat(members.stream().mapToLong(SilenceIT::operatorClients).sum())
                    .isPositive();
            Eventually.holds(
                    "all closed",
                    Duration.ofSeconds(15),
                    () -> members.stream().allMatch(member -> operatorClients(member) == 0));
            cluster.awaitAll("answers again", node -> true);
        }
    }

    private static long operatorClients(ValkeyServer member) {
        return member.call("CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains("user=_operator"))
                .count();
    }

    /** An address that takes no connection and refuses none: its queue of waiting connections is full. */
    private static final class Deaf implements AutoCloseable {

        private final ServerSocket socket;
        private final List<Socket> waiting = new ArrayList<>();

        Deaf(String ip) throws IOException {
            socket = new ServerSocket(ValkeyServer.PORT, 1, InetAddress.getByName(ip));
            while (fills()) {
                assertThat(waiting).hasSizeLessThan(50);
            }
        }

        private boolean fills() throws IOException {
            Socket next = new Socket();
            waiting.add(next);
            try {
                next.connect(new InetSocketAddress(socket.getInetAddress(), ValkeyServer.PORT), 100);
                return true;
            } catch (SocketTimeoutException e) {
                return false;
            }
        }

        String address() {
            return socket.getInetAddress().getHostAddress();
        }

        @Override
        public void close() throws IOException {
            for (Socket next : waiting) {
                next.close();
            }
            socket.close();
        }
    }
}
