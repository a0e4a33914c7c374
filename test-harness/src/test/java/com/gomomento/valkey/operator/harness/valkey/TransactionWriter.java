package com.gomomento.valkey.operator.harness.valkey;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Counts a key up in transactions, as fast as one client can, until the server sends it elsewhere. */
final class TransactionWriter {

    private final CompletableFuture<Long> acknowledged = new CompletableFuture<>();

    TransactionWriter(ValkeyServer server, String key) {
        Thread.ofVirtual().start(() -> write(server, key));
    }

    private void write(ValkeyServer server, String key) {
        long last = 0;
        try (RespConnection client = server.connect(ValkeyServers.TESTER, ValkeyServers.TESTER_PASSWORD)) {
            while (true) {
                client.call("MULTI");
                client.call("INCR", key);
                client.call("PUBLISH", "news", "counted");
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
