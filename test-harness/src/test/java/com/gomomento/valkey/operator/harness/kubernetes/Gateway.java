package com.gomomento.valkey.operator.harness.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/**
 * Stands between the adapter and the real API server, on loopback, and passes everything on until it is told to misbehave:
 * hold watches back, cut them, send them into expired history, refuse requests, or lose the answers to those it passed on.
 */
final class Gateway implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final KubernetesClient upstream;
    private final Set<HttpExchange> watches = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile Predicate<String> refused = _ -> false;
    private volatile Predicate<String> lost = _ -> false;
    private volatile boolean expired;

    Gateway(Config api) throws IOException {
        // With HTTP/2 all would share one connection, and one held watch could hold up the rest.
        upstream = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(api)
                        .withHttp2Disable(true)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
                .build();
    }

    /** From now on watches tell nothing more. */
    void holdWatches() {
        held = new CountDownLatch(1);
    }

    /** They go on, with all that was held back. */
    void releaseWatches() {
        held.countDown();
    }

    /** Ends all watches that are open, as a server does that is being restarted. */
    void cutWatches() {
        watches.forEach(HttpExchange::close);
    }

    /** Lets each watch that is opened from now on begin at the beginning of time, which the API server no longer knows. */
    void expireHistory(boolean yes) {
        expired = yes;
    }

    /** Answers 403 to requests whose "METHOD path?query" is in {@code which}. */
    void refuse(Predicate<String> which) {
        refused = which;
    }

    /** Passes on requests whose "METHOD path?query" is in {@code which}, and drops the answers. */
    void loseAnswers(Predicate<String> which) {
        lost = which;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
        upstream.close();
    }

    private void pass(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        boolean watch = line.contains("watch=true");
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (refused.test(line)) {
                answer(
                        exchange,
                        403,
                        "{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\","
                                + "\"message\":\"the gateway forbids it\"}");
                return;
            }
            HttpRequest request = request(exchange, body);
            if (watch) {
                watches.add(exchange);
                stream(exchange, request);
            } else {
                HttpResponse<byte[]> response = upstream.getHttpClient()
                        .sendAsync(request, byte[].class)
                        .get();
                if (!lost.test(line)) {
                    answer(exchange, response.code(), new String(response.body(), StandardCharsets.UTF_8));
                }
            }
        } catch (ExecutionException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watches.remove(exchange);
        }
    }

    private HttpRequest request(HttpExchange exchange, byte[] body) {
        String uri = exchange.getRequestURI().toString();
        if (expired && uri.contains("watch=true")) {
            uri = uri.replaceAll("resourceVersion=\\d+", "resourceVersion=1");
        }
        HttpRequest.Builder builder = upstream.getHttpClient()
                .newHttpRequestBuilder()
                .uri(upstream.getMasterUrl().toString().replaceAll("/$", "") + uri)
                .header("Accept", "application/json");
        if (body.length > 0) {
            builder.method(
                    exchange.getRequestMethod(),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    new String(body, StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    private void stream(HttpExchange exchange, HttpRequest request)
            throws IOException, InterruptedException, ExecutionException {
        BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();
        HttpResponse<AsyncBody> response = upstream.getHttpClient()
                .consumeBytes(request, (List<ByteBuffer> buffers, AsyncBody flow) -> {
                    for (ByteBuffer buffer : buffers) {
                        byte[] bytes = new byte[buffer.remaining()];
                        buffer.get(bytes);
                        pieces.add(bytes);
                    }
                    flow.consume();
                })
                .get();
        var _ = response.body().done().whenComplete((_, _) -> pieces.add(new byte[0]));
        response.body().consume();
        try {
            exchange.sendResponseHeaders(response.code(), 0);
            for (byte[] piece = pieces.take(); piece.length > 0; piece = pieces.take()) {
                held.await();
                exchange.getResponseBody().write(piece);
                exchange.getResponseBody().flush();
            }
        } finally {
            response.body().cancel();
        }
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
