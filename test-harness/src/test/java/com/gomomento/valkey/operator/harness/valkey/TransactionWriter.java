package com.gomomento.valkey.operator.harness.valkey;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Counts a key up in transactions, as fast as one client can, until the server sends it elsewhere. */
final class TransactionWriter {

    private final CompletableFuture<Long> acknowledged = new CompletableFuture<>();

    /**
     * Begins at once.
     *
     * @param publishes whether each transaction holds a {@code PUBLISH} too. Servers before 9.0 must be spared that while a
     *     slot moves key by key: such a transaction is run at the source even where the key has gone already.
     */
    TransactionWriter(ValkeyServer server, String key, boolean publishes) {
        Thread.ofVirtual().start(() -> write(server, key, publishes));
    }

    private void write(ValkeyServer server, String key, boolean publishes) {
        long last = 0;
        try (RespConnection client = server.connect(ValkeyServers.TESTER, ValkeyServers.TESTER_PASSWORD)) {
            while (true) {
                client.call("MULTI");
                client.call("INCR", key);
                if (publishes) {
                    client.call("PUBLISH", "news", "counted");
                }
                String result = client.call("EXEC");
                if (result.startsWith("-")) {
                    acknowledged.complete(last);
                    return;
                }
                last = Long.parseLong(result.lines().findFirst().orElseThrow());
            }
        } catch (RuntimeException e) {
            acknowledged.completeExceptionally(e);
        }
    }

    /** Waits for its end, and gives the last count that was acknowledged. */
    long acknowledged() {
        return acknowledged.orTimeout(30, TimeUnit.SECONDS).join();
    }
}
