package com.gomomento.valkey.operator.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers as it is told, on a loopback port: for the ways to fail that a real API server can't be made to show on demand. The
 * real one is met in the integration tests.
 */
final class FakeApiServer implements AutoCloseable {

    /** Answers one request. */
    @FunctionalInterface
    interface Script {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    FakeApiServer(Script script) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                script.answer(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
                .build();
    }

    static boolean isWatch(HttpExchange exchange) {
        return String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true");
    }

    static void json(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Begins an answer without an end and sends {@code lines}. */
    static void stream(HttpExchange exchange, String... lines) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        OutputStream body = exchange.getResponseBody();
        for (String line : lines) {
            body.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
        body.flush();
    }

    static String status(int code, String reason, String message) {
        return "{\"kind\": \"Status\", \"code\": %d, \"reason\": \"%s\", \"message\": \"%s\"}"
                .formatted(code, reason, message);
    }

    static String list(int version, String... items) {
        return "{\"metadata\": {\"resourceVersion\": \"%d\"}, \"items\": [%s]}"
                .formatted(version, String.join(",", items));
    }

    static String event(String type, String object) {
        return "{\"type\": \"%s\", \"object\": %s}".formatted(type, object);
    }

    static String configMap(String name, int version, String value) {
        return "{\"metadata\": {\"namespace\": \"shop\", \"name\": \"%s\", \"uid\": \"uid-of-%s\", \"resourceVersion\": \"%d\"}, \"data\": {\"valkey.conf\": \"%s\"}}"
                .formatted(name, name, version, value);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
