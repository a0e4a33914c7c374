package com.gomomento.valkey.operator.harness.api;

import com.gomomento.valkey.operator.harness.scenario.LocalCluster;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Stands between a copy of the operator and the API server, in plain HTTP: holds the events of watches back, hides the custom
 * resources, refuses what it is told to, and cuts connections. All else passes as it is, with the caller's token.
 */
final class ApiProxy implements AutoCloseable {

    /** node1, which the test's process and every pod share a network with. */
    private static final String ADDRESS = "10.0.0.1";

    private static final String GROUP = "/apis/valkey.gomomento.com/";
    private static final String NO_GROUP = "/apis/missing.valkey.gomomento.com/";

    private static final int REFUSED = 422;

    private final URI server;
    private final HttpClient client;
    private final HttpServer listener;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<HttpExchange> watches = ConcurrentHashMap.newKeySet();
    private final AtomicInteger delayed = new AtomicInteger();
    private volatile Duration delay = Duration.ZERO;
    private volatile Predicate<String> late = path -> true;
    private volatile boolean hidden;
    private volatile BiFunction<String, String, Optional<String>> refusal = (method, path) -> Optional.empty();

    private ApiProxy(URI server, HttpClient client, HttpServer listener) {
        this.server = server;
        this.client = client;
        this.listener = listener;
    }

    static ApiProxy start(LocalCluster cluster, String server) {
        try {
            HttpClient client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(trusting(cluster))
                    .build();
            HttpServer listener = HttpServer.create(new InetSocketAddress(ADDRESS, 0), 0);
            ApiProxy proxy = new ApiProxy(URI.create(server), client, listener);
            listener.setExecutor(proxy.threads);
            listener.createContext("/", proxy::handle);
            listener.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the cluster's own CA cannot be used", e);
        }
    }

    /** Where to reach it from pods. */
    String url() {
        return "http://" + ADDRESS + ":" + listener.getAddress().getPort();
    }

    /** From now on events arrive so much later. */
    void delayEvents(Duration duration) {
        delayEvents(duration, path -> true);
    }

    /** As above, but only of watches of these paths. */
    void delayEvents(Duration duration, Predicate<String> paths) {
        late = paths;
        delay = duration;
    }

    /** How many events were held back. */
    int delayed() {
        return delayed.get();
    }

    /** The code of the API server's answer to a read with this token. */
    int answerTo(String path, String token) {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Whether the custom resources seem not to be installed; the API server itself words the answer. */
    void hideCustomResources(boolean hide) {
        hidden = hide;
    }

    /** Refuses with code 422 and the message that the function gives for a method and a path. */
    void refuse(BiFunction<String, String, Optional<String>> rule) {
        refusal = rule;
    }

    /** Ends all watches that are open now, as a restart of the API server does. */
    void cut() {
        watches.forEach(HttpExchange::close);
    }

    @Override
    public void close() {
        listener.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            Optional<String> refused = refusal.apply(exchange.getRequestMethod(), path);
            if (refused.isPresent()) {
                answer(exchange, status(refused.get()));
                return;
            }
            HttpResponse<InputStream> response =
                    client.send(forwarded(exchange, path), HttpResponse.BodyHandlers.ofInputStream());
            response.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            try (InputStream body = response.body()) {
                if (path.contains("watch=") && response.statusCode() == 200) {
                    pass(exchange, path, body);
                } else {
                    exchange.sendResponseHeaders(response.statusCode(), 0);
                    body.transferTo(exchange.getResponseBody());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest forwarded(HttpExchange exchange, String path) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        server.resolve(hidden ? path.replace(GROUP, NO_GROUP) : path))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()));
        for (String header : Set.of("Authorization", "Content-Type", "Accept")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        return request.build();
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(REFUSED, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String status(String message) {
        return Serialization.asJson(new StatusBuilder()
                .withStatus("Failure")
                .withReason("Invalid")
                .withCode(REFUSED)
                .withMessage(message)
                .build());
    }

    private record Event(String line, long due) {}

    /** An event is read at once, so that the API server is not held up, and passed on when its time has come. */
    private void pass(HttpExchange exchange, String path, InputStream events) throws IOException, InterruptedException {
        exchange.sendResponseHeaders(200, 0);
        watches.add(exchange);
        BlockingQueue<Optional<Event>> waiting = new LinkedBlockingQueue<>();
        var reading = threads.submit(() -> read(path, events, waiting));
        try (OutputStream out = exchange.getResponseBody()) {
            Optional<Event> next = waiting.take();
            while (next.isPresent()) {
                long early = next.get().due() - System.nanoTime();
                if (early > 0) {
                    Thread.sleep(Duration.ofNanos(early));
                }
                out.write((next.get().line() + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                next = waiting.take();
            }
        } finally {
            reading.cancel(true);
            watches.remove(exchange);
        }
    }

    private void read(String path, InputStream events, BlockingQueue<Optional<Event>> waiting) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Duration wait = late.test(path) ? delay : Duration.ZERO;
                if (wait.isPositive()) {
                    delayed.incrementAndGet();
                }
                waiting.add(Optional.of(new Event(line, System.nanoTime() + wait.toNanos())));
            }
        } catch (IOException e) {
            // The watch is over on one side or the other.
        } finally {
            waiting.add(Optional.empty());
        }
    }

    private static SSLContext trusting(LocalCluster cluster) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, new char[0]);
        try (InputStream certificate =
                Files.newInputStream(cluster.stateFolder().resolve("keep/ca.crt"))) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
