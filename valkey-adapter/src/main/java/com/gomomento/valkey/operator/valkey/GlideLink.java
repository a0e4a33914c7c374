package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import glide.api.GlideClient;
import glide.api.models.Batch;
import glide.api.models.GlideString;
import glide.api.models.commands.batch.BatchOptions;
import glide.api.models.configuration.AdvancedGlideClientConfiguration;
import glide.api.models.configuration.BackoffStrategy;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.configuration.NodeAddress;
import glide.api.models.configuration.ServerCredentials;
import glide.api.models.exceptions.GlideException;
import glide.api.models.exceptions.TimeoutException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One GLIDE client for one server, whatever its role: the only class that knows its client, and so the one place where
 * GLIDE's mode is chosen.
 *
 * <p>The cluster client routes by topology and can't be held to one node; the standalone client refuses a replica unless it
 * is read-only. Read-only it keeps back single commands that change something, but no batch, so each round trip is a
 * batch that is not a transaction. Lazy connection keeps the creation from blocking one of the few threads that GLIDE shares
 * for it, and from leaving a reconnect loop behind when it fails.
 */
final class GlideLink implements AutoCloseable {

    /** GLIDE's own limit for one connection attempt; whoever opens a link has seen the server answer just before. */
    private static final int CONNECT_MILLIS = 1000;

    /** With no retry at all GLIDE spins; the factor is the wait in milliseconds. */
    private static final BackoffStrategy RECONNECT = BackoffStrategy.builder()
            .numOfRetries(1)
            .factor(500)
            .exponentBase(2)
            .build();

    /** How much longer than GLIDE's own limit an answer is waited for: some of its futures never complete. */
    private static final long GRACE_MILLIS = 250;

    private final GlideClient client;
    private final Target target;

    private GlideLink(GlideClient client, Target target) {
        this.client = client;
        this.target = target;
    }

    /** Makes a client; nothing is sent before the first question. */
    static GlideLink open(Target target) throws NoAnswer {
        GlideLibrary.await(Duration.ofMillis(CONNECT_MILLIS));
        GlideClientConfiguration configuration = GlideClientConfiguration.builder()
                .address(NodeAddress.builder()
                        .host(target.ip())
                        .port(target.port())
                        .build())
                .credentials(ServerCredentials.builder()
                        .username(InternalUsers.OPERATOR)
                        .password(target.password().reveal())
                        .build())
                .libName("valkey-operator")
                .readOnly(true)
                .lazyConnect(true)
                .requestTimeout(CONNECT_MILLIS)
                .reconnectStrategy(RECONNECT)
                .advancedConfiguration(AdvancedGlideClientConfiguration.builder()
                        .connectionTimeout(CONNECT_MILLIS)
                        .build())
                .build();
        CompletableFuture<GlideClient> creation = GlideClient.createClient(configuration);
        try {
            return new GlideLink(await(creation, Duration.ofMillis(CONNECT_MILLIS), target.password()), target);
        } catch (NoAnswer e) {
            closeWhenItComes(creation);
            throw e;
        }
    }

    /** A client that nobody waits for any more may still come into being. There is nothing to do when it does not. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void closeWhenItComes(CompletableFuture<GlideClient> creation) {
        creation.thenAccept(GlideLink::closeQuietly);
    }

    /**
     * Sends all commands in one round trip.
     *
     * @param limit for the round trip; it ends at most {@value #GRACE_MILLIS} ms later whatever GLIDE does
     * @param charset of the words, both ways
     * @return one reply a command
     */
    List<Reply> ask(List<List<String>> commands, Duration limit, Charset charset) throws NoAnswer {
        Batch batch = new Batch(false).withBinaryOutput();
        commands.forEach(command -> batch.customCommand(command.stream()
                .map(word -> GlideString.of(word.getBytes(charset)))
                .toArray(GlideString[]::new)));
        BatchOptions options = BatchOptions.builder()
                .timeout(Math.toIntExact(limit.toMillis()))
                .build();
        Object[] answers;
        try {
            answers = await(client.exec(batch, false, options), limit, target.password());
        } catch (GlideException e) {
            throw failure(e, target.password());
        }
        if (answers.length != commands.size()) {
            throw new NoAnswer(Reason.OTHER, answers.length + " answers came to " + commands.size() + " commands");
        }
        List<Reply> replies = new ArrayList<>();
        for (Object answer : answers) {
            replies.add(reply(answer, charset));
        }
        return List.copyOf(replies);
    }

    private Reply reply(Object answer, Charset charset) {
        return switch (answer) {
            case null -> new Reply.Text("");
            case GlideException refusal ->
                new Reply.Refusal(ServerWords.redact(ServerWords.restore(message(refusal)), target.password()));
            case Object[] array ->
                new Reply.Items(
                        Arrays.stream(array).map(item -> reply(item, charset)).toList());
            case Map<?, ?> map ->
                new Reply.Items(map.entrySet().stream()
                        .flatMap(entry -> Stream.of(reply(entry.getKey(), charset), reply(entry.getValue(), charset)))
                        .toList());
            case GlideString bytes -> new Reply.Text(new String(bytes.getBytes(), charset));
            default -> new Reply.Text(answer.toString());
        };
    }

    private static <T> T await(CompletableFuture<T> future, Duration limit, SecretText secret) throws NoAnswer {
        try {
            return future.get(limit.toMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new NoAnswer(Reason.TIMEOUT, "no answer within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause(), secret);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswer(Reason.OTHER, "interrupted while waiting for an answer");
        }
    }

    private static NoAnswer failure(Throwable cause, SecretText secret) {
        return cause instanceof TimeoutException
                ? new NoAnswer(Reason.TIMEOUT, "no answer in time")
                : new NoAnswer(Reason.OTHER, ServerWords.redact(ServerWords.restore(message(cause)), secret));
    }

    private static String message(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
    }

    @Override
    public void close() {
        closeQuietly(client);
    }

    private static void closeQuietly(GlideClient client) {
        try {
            client.close();
        } catch (ExecutionException | GlideException e) {
            // The client is given up in any case, and the server drops a connection that is not closed well.
            return;
        }
    }
}
