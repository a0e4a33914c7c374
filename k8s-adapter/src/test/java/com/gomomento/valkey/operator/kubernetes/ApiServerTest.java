package com.gomomento.valkey.operator.kubernetes;

import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.json;
import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.port.ActionResult;
import com.sun.net.httpserver.HttpExchange;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a call. The results decide what the core may assume, so "perhaps" must never look like "no". */
class ApiServerTest {

    private static final Pace QUICK = new Pace(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(1));
    private static final String PATH = "/api/v1/namespaces/shop/pods";

    @Test
    void whatTheServerRefusedWasNotDone() throws Exception {
        assertThat(post(exchange -> json(exchange, 403, status(403, "Forbidden", "exceeded quota: few"))))
                .isEqualTo(new ActionResult.Rejected("exceeded quota: few"));
    }

    @Test
    void anErrorInsideTheServerIsUnknown() throws Exception {
        assertThat(post(exchange -> json(exchange, 500, status(500, "InternalError", "failed calling webhook"))))
                .isEqualTo(new ActionResult.Unknown("failed calling webhook"));
    }

    @Test
    void aProxyThatSpeaksNoJsonIsKnownByItsCode() throws Exception {
        assertThat(post(exchange -> json(exchange, 502, "<html>Bad Gateway</html>")))
                .isEqualTo(new ActionResult.Unknown("the API server answered 502"));
    }

    @Test
    void silenceIsUnknown() throws Exception {
        assertThat(post(_ -> Thread.sleep(Duration.ofMinutes(1))))
                .isEqualTo(new ActionResult.Unknown("the API server gave no answer within 2 s"));
    }

    @Test
    void anAnswerThatStopsHalfWayIsUnknown() throws Exception {
        assertThat(post(exchange -> {
                    FakeApiServer.stream(exchange, "{\"kind\": \"Pod\"");
                    Thread.sleep(Duration.ofMinutes(1));
                }))
                .isEqualTo(new ActionResult.Unknown("the API server gave no answer within 2 s"));
    }

    @Test
    void aConnectionThatBreaksIsUnknown() throws Exception {
        assertThat(post(HttpExchange::close)).isInstanceOf(ActionResult.Unknown.class);
    }

    @Test
    void aCallThatNeverLeftWasNotDone() throws Exception {
        int freePort;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            freePort = socket.getLocalPort();
        }
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + freePort + "/")
                .build();
        try (ApiServer api = new ApiServer(config, QUICK)) {
            assertThat(api.post(PATH, Map.of()).asResult()).isInstanceOf(ActionResult.Rejected.class);
        }
    }

    @Test
    void noMoreThanThirtyTwoCallsAreInFlight() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        FakeApiServer.Script slow = exchange -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.sleep(50);
            now.decrementAndGet();
            json(exchange, 200, "{}");
        };
        try (FakeApiServer server = new FakeApiServer(slow);
                ApiServer api = new ApiServer(server.config(), Pace.USUAL);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(() -> api.get(PATH));
            }
            for (var answer : threads.invokeAll(calls)) {
                assertThat(answer.get()).isInstanceOf(Answer.Reply.class);
            }
            assertThat(most.get()).isBetween(2, 32);
        }
    }

    @Test
    void aTokenThatWasRenewedInItsFileIsTaken(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("token");
        Files.writeString(file, "first");
        List<String> seen = new ArrayList<>();
        FakeApiServer.Script onlyValid = exchange -> {
            String header = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            seen.add(header);
            boolean valid = header.equals("Bearer " + Files.readString(file));
            json(exchange, valid ? 200 : 401, valid ? "{}" : status(401, "Unauthorized", "Unauthorized"));
        };
        try (FakeApiServer server = new FakeApiServer(onlyValid);
                ApiServer api = new ApiServer(inPod(server, file), QUICK)) {
            assertThat(api.get(PATH)).isEqualTo(new Answer.Reply(200, new KubeObject(Map.of())));

            Files.writeString(file, "second");

            assertThat(api.get(PATH)).isEqualTo(new Answer.Reply(200, new KubeObject(Map.of())));
            assertThat(seen).containsExactly("Bearer first", "Bearer first", "Bearer second");
        } finally {
            forgetPod();
        }
    }

    @Test
    void aTokenThatCannotBeSentIsNotQuoted(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("token");
        Files.writeString(file, "planted\ntoken");
        try (FakeApiServer server = new FakeApiServer(exchange -> json(exchange, 200, "{}"));
                ApiServer api = new ApiServer(inPod(server, file), QUICK)) {
            assertThat(api.get(PATH).asResult())
                    .isInstanceOfSatisfying(
                            ActionResult.Rejected.class,
                            result -> assertThat(result.reason()).doesNotContain("planted"));
        } finally {
            forgetPod();
        }
    }

    private static ActionResult post(FakeApiServer.Script script) throws IOException {
        try (FakeApiServer server = new FakeApiServer(script);
                ApiServer api = new ApiServer(server.config(), QUICK)) {
            return api.post(PATH, Map.of("kind", "Pod")).asResult();
        }
    }

    /** As fabric8 finds out by itself in a pod, with other places. */
    private static Config inPod(FakeApiServer server, Path token) {
        System.setProperty(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, "false");
        System.setProperty(Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY, token.toString());
        System.setProperty(
                Config.KUBERNETES_MASTER_SYSTEM_PROPERTY, server.config().getMasterUrl());
        return Config.autoConfigure(null);
    }

    private static void forgetPod() {
        System.clearProperty(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY);
        System.clearProperty(Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY);
        System.clearProperty(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY);
    }
}
