package com.gomomento.valkey.operator.kubernetes;

import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.configMap;
import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.event;
import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.isWatch;
import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.json;
import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.list;
import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.status;
import static com.gomomento.valkey.operator.kubernetes.FakeApiServer.stream;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.port.Journal;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** No watch ends in silence, whatever the API server or the network do to it. */
class KindWatchTest {

    private static final Pace QUICK = new Pace(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(500));
    private static final long FOR_EVER = Duration.ofMinutes(5).toMillis();

    private final KindCache<Readers.ConfigMapSeen> cache = new KindCache<>(ResourceKind.CONFIG_MAP, Readers::configMap);
    private final List<Journal.Entry> told = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger lists = new AtomicInteger();
    private final AtomicInteger watches = new AtomicInteger();

    @Test
    void aListOfSeveralPagesIsTakenWhole() throws Exception {
        FakeApiServer.Script script = exchange -> {
            if (isWatch(exchange)) {
                hold(exchange);
            } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("continue=")) {
                json(exchange, 200, list(7, configMap("b", 2, "two")));
            } else {
                json(
                        exchange,
                        200,
                        list(7, configMap("a", 1, "one"))
                                .replace(
                                        "\"resourceVersion\": \"7\"",
                                        "\"resourceVersion\": \"7\", \"continue\": \"next page\""));
            }
        };
        watching(script, () -> {
            await(() -> cache.all().size() == 2);
            await(() -> requestedFrom(7));
        });
    }

    @Test
    void aConnectionThatDiesInSilenceIsLeftForANewOneThatGoesOnFromTheLastVersion() throws Exception {
        watching(
                exchange -> {
                    if (!isWatch(exchange)) {
                        json(exchange, 200, list(5));
                    } else if (watches.incrementAndGet() == 1) {
                        stream(exchange, event("BOOKMARK", "{\"metadata\": {\"resourceVersion\": \"9\"}}"));
                        Thread.sleep(FOR_EVER);
                    } else {
                        stream(exchange, event("ADDED", configMap("a", 10, "heard after all")));
                        Thread.sleep(FOR_EVER);
                    }
                },
                () -> {
                    await(() -> value("a").isPresent());
                    assertThat(requestedFrom(9)).isTrue();
                });
    }

    @Test
    void aCallThatIsNeverAnsweredIsGivenUpAndMadeAgain() throws Exception {
        watching(
                exchange -> {
                    if (isWatch(exchange)) {
                        hold(exchange);
                    } else if (lists.get() < 2) {
                        Thread.sleep(FOR_EVER);
                    } else {
                        json(exchange, 200, list(5, configMap("a", 1, "one")));
                    }
                },
                () -> await(() -> value("a").isPresent()));
    }

    @Test
    void expiredHistoryLeadsToANewListThatTellsWhatWasMissed() throws Exception {
        watching(
                exchange -> {
                    if (!isWatch(exchange)) {
                        json(
                                exchange,
                                200,
                                lists.get() == 1
                                        ? list(5, configMap("a", 1, "one"), configMap("b", 2, "two"))
                                        : list(50, configMap("b", 40, "changed"), configMap("c", 41, "new")));
                    } else if (watches.incrementAndGet() == 1) {
                        stream(exchange, event("ERROR", status(410, "Expired", "too old resource version: 5 (49)")));
                    } else {
                        hold(exchange);
                    }
                },
                () -> {
                    await(() -> value("c").isPresent());
                    assertThat(value("a")).isEmpty();
                    assertThat(value("b")).contains("changed");
                });
    }

    @Test
    void aRefusedWatchIsTriedAgainAndThenListedAnew() throws Exception {
        watching(
                exchange -> {
                    if (!isWatch(exchange)) {
                        json(exchange, 200, list(5 * lists.get()));
                    } else if (watches.incrementAndGet() <= 3) {
                        json(exchange, 504, status(504, "Timeout", "Too large resource version: 5, current: 1"));
                    } else {
                        hold(exchange);
                    }
                },
                () -> await(() -> requestedFrom(10)));
    }

    @Test
    void aMissingKindOrRightIsToldOnceAndWaitedFor() throws Exception {
        watching(
                exchange -> {
                    if (isWatch(exchange)) {
                        hold(exchange);
                    } else if (lists.get() <= 3) {
                        json(
                                exchange,
                                404,
                                status(404, "NotFound", "the server could not find the requested resource"));
                    } else {
                        json(exchange, 200, list(5, configMap("a", 1, "one")));
                    }
                },
                () -> {
                    await(() -> value("a").isPresent());
                    await(() -> told.size() == 2);
                    assertThat(told.get(0).level()).isEqualTo(Journal.Level.WARN);
                    assertThat(told.get(0).fields())
                            .containsEntry("error", "the server could not find the requested resource")
                            .containsEntry("kind", "ConfigMap");
                    assertThat(told.get(1).message()).isEqualTo("watch restored");
                });
    }

    @Test
    void rubbishInTheMiddleOfAWatchDoesNotEndIt() throws Exception {
        watching(
                exchange -> {
                    if (!isWatch(exchange)) {
                        json(exchange, 200, list(5));
                    } else if (watches.incrementAndGet() == 1) {
                        stream(exchange, event("ADDED", configMap("a", 6, "one")), "<html>bad gateway</html>");
                    } else {
                        stream(exchange, event("ADDED", configMap("b", 7, "two")));
                        Thread.sleep(FOR_EVER);
                    }
                },
                () -> {
                    await(() -> value("b").isPresent());
                    assertThat(value("a")).isPresent();
                    assertThat(requestedFrom(6)).isTrue();
                });
    }

    @Test
    void aServerThatEndsEveryWatchAtOnceIsNotAskedInATightLoop() throws Exception {
        watching(
                exchange -> {
                    if (!isWatch(exchange)) {
                        json(exchange, 200, list(5));
                    } else {
                        watches.incrementAndGet();
                        stream(exchange);
                    }
                },
                () -> {
                    await(() -> watches.get() >= 2);
                    Thread.sleep(1000);
                    assertThat(watches.get()).isLessThan(10);
                });
    }

    private interface Check {
        void run() throws Exception;
    }

    private void watching(FakeApiServer.Script script, Check check) throws Exception {
        FakeApiServer.Script counted = exchange -> {
            requests.add(exchange.getRequestURI().toString());
            if (!isWatch(exchange)) {
                lists.incrementAndGet();
            }
            script.answer(exchange);
        };
        try (FakeApiServer started = new FakeApiServer(counted);
                ApiServer api = new ApiServer(started.config(), QUICK)) {
            KindWatch<Readers.ConfigMapSeen> watch =
                    new KindWatch<>(api, cache, _ -> {}, _ -> false, told::add, InstantSource.system(), QUICK);
            Thread thread = Thread.ofVirtual().start(watch);
            try {
                check.run();
                assertThat(watch.health().ended()).isFalse();
            } finally {
                thread.interrupt();
                assertThat(thread.join(Duration.ofSeconds(5))).isTrue();
            }
            assertThat(watch.health().ended()).isTrue();
        }
    }

    private boolean requestedFrom(int version) {
        return requests.stream().anyMatch(request -> request.contains("&resourceVersion=" + version + "&"));
    }

    private Optional<String> value(String name) {
        return cache.get(new ObjectName("shop", name))
                .flatMap(object -> object.value().serverConfig());
    }

    private static void hold(HttpExchange exchange) throws IOException, InterruptedException {
        stream(exchange);
        Thread.sleep(FOR_EVER);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("gave up waiting").isLessThan(end);
            Thread.sleep(20);
        }
    }
}
