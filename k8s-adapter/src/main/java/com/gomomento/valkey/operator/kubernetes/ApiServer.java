package com.gomomento.valkey.operator.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The API server over HTTP. fabric8 gives the connection: addresses, certificates, tokens and their rotation (the mounted
 * file is read again once a minute and after a 401). Calls and watches are made here, so that each has a deadline that holds
 * whatever the network does, and so that none of fabric8's models has to be loaded.
 *
 * <p>No call is repeated here: the core looks at the world again and decides again.
 */
final class ApiServer implements AutoCloseable {

    /** More at once make the JDK's client run out of streams and the heap out of space. */
    private static final int CALLS_IN_FLIGHT = 32;

    /** At level trace fabric8 prints whole requests and answers: every Secret, and the token of each call. */
    private static final String WIRE_LOG = "HttpLogging";

    private final HttpClient http;
    private final URI server;
    private final Duration deadline;
    private final Semaphore turns = new Semaphore(CALLS_IN_FLIGHT, true);

    ApiServer(Config config, Pace pace) {
        config.setHttp2Disable(true);
        config.setRequestRetryBackoffLimit(0);
        this.http = new LightHttpClientFactory()
                .newBuilder(config)
                .addOrReplaceInterceptor(WIRE_LOG, null)
                .build();
        this.server = URI.create(config.getMasterUrl());
        this.deadline = pace.call();
    }

    /** Reads {@code path}, which may carry a query. */
    Answer get(String path) {
        return call(http.newHttpRequestBuilder(), path);
    }

    /** Posts a new object. */
    Answer post(String path, Map<String, ?> body) {
        return call(withBody("POST", "application/json", body), path);
    }

    /** Deletes with the options in {@code body}. */
    Answer delete(String path, Map<String, ?> body) {
        return call(withBody("DELETE", "application/json", body), path);
    }

    /** Changes the fields in {@code body} and nothing else (RFC 7386). */
    Answer merge(String path, Map<String, ?> body) {
        return call(withBody("PATCH", "application/merge-patch+json", body), path);
    }

    /** Server-side apply. */
    Answer apply(String path, Map<String, ?> body) {
        return call(withBody("PATCH", "application/apply-patch+yaml", body), path);
    }

    /**
     * Opens a watch.
     *
     * @throws WatchFailure when the server refuses it or does not answer within the deadline
     */
    WatchStream watch(String path) throws InterruptedException, WatchFailure {
        WatchStream stream = new WatchStream();
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(server.resolve(path))
                .header("Accept", "application/json")
                .forStreaming()
                .build();
        CompletableFuture<HttpResponse<AsyncBody>> opening = open(request, stream);
        try {
            HttpResponse<AsyncBody> response = opening.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
            stream.begin(response.body());
            if (response.isSuccessful()) {
                return stream;
            }
            Answer.Reply refusal = new Answer.Reply(response.code(), asObject(stream.rest(deadline)));
            throw new WatchFailure(refusal.message(), refusal.expired());
        } catch (TimeoutException e) {
            cancelWhenOpen(opening);
            throw new WatchFailure("no answer within " + deadline.toSeconds() + " s", false);
        } catch (ExecutionException e) {
            throw new WatchFailure(sentence(cause(e)), false);
        } catch (InterruptedException e) {
            cancelWhenOpen(opening);
            throw e;
        }
    }

    @Override
    public void close() {
        http.close();
    }

    private HttpRequest.Builder withBody(String method, String contentType, Map<String, ?> body) {
        return http.newHttpRequestBuilder()
                .method(method, contentType, new String(Json.write(body), StandardCharsets.UTF_8));
    }

    private Answer call(HttpRequest.Builder builder, String path) {
        HttpRequest request = builder.uri(server.resolve(path))
                .header("Accept", "application/json")
                // Frees the connection of a call that was given up; a little later, so that we are the ones who tell.
                .timeout(deadline.plusSeconds(1).toMillis(), TimeUnit.MILLISECONDS)
                .build();
        try {
            if (!turns.tryAcquire(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Answer.NotSent(CALLS_IN_FLIGHT + " calls to the API server are waiting for an answer");
            }
            try {
                return exchange(request);
            } finally {
                turns.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Silence("interrupted");
        }
    }

    private Answer exchange(HttpRequest request) throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        CompletableFuture<HttpResponse<AsyncBody>> opening = open(request, (buffers, body) -> {
            append(received, buffers);
            body.consume();
        });
        try {
            HttpResponse<AsyncBody> response = opening.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            try {
                response.body().consume();
                response.body().done().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } finally {
                response.body().cancel();
            }
            return new Answer.Reply(response.code(), asObject(received.toByteArray()));
        } catch (TimeoutException e) {
            cancelWhenOpen(opening);
            return new Answer.Silence("the API server gave no answer within " + deadline.toSeconds() + " s");
        } catch (ExecutionException e) {
            Throwable cause = cause(e);
            boolean sent = !(cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException);
            return sent ? new Answer.Silence(sentence(cause)) : new Answer.NotSent(sentence(cause));
        } catch (InterruptedException e) {
            cancelWhenOpen(opening);
            throw e;
        }
    }

    /**
     * What the client throws rather than reports may quote the request with its token, so only its kind is passed on
     * (invariant S19).
     */
    private CompletableFuture<HttpResponse<AsyncBody>> open(
            HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        try {
            return http.consumeBytes(request, consumer);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(new ConnectException(
                    "the request can't be made: " + e.getClass().getSimpleName()));
        }
    }

    /** fabric8 hands no cancellation down to a call that has no answer yet, so an answer that comes late is dropped. */
    private static void cancelWhenOpen(CompletableFuture<HttpResponse<AsyncBody>> opening) {
        var _ = opening.thenAccept(late -> late.body().cancel());
    }

    /** A proxy in between may answer in another language than JSON: then the code alone speaks. */
    private static KubeObject asObject(byte[] text) {
        try {
            return new KubeObject(Json.read(text));
        } catch (IOException e) {
            return new KubeObject(Map.of());
        }
    }

    private static void append(ByteArrayOutputStream received, List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            received.writeBytes(bytes);
        }
    }

    private static Throwable cause(ExecutionException e) {
        Throwable cause = e;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String sentence(Throwable cause) {
        String message = cause.getMessage();
        boolean speaks = cause instanceof IOException && message != null && !message.isBlank();
        String kind = cause instanceof ConnectException
                ? "no connection"
                : cause.getClass().getSimpleName();
        return "the API server can't be reached: " + (speaks ? message : kind);
    }
}
