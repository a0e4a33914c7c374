package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Counts keys up, one after the other, as fast as one client can, and follows the servers' redirections. A count that was
 * acknowledged and is not there in the end is a lost write.
 */
final class ClusterWriter {

    private final List<ValkeyServer> members;
    private final List<String> keys;
    private final SortedMap<String, RespConnection> connections = new TreeMap<>();
    private final SortedMap<String, String> owners = new TreeMap<>();
    private final SortedMap<String, Long> acknowledged = Collections.synchronizedSortedMap(new TreeMap<>());
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean stopped;

    /** Begins at once. */
    ClusterWriter(List<ValkeyServer> members, List<String> keys) {
        this.members = members;
        this.keys = keys;
        Thread.ofVirtual().name("writer").start(this::write);
    }

    private void write() {
        try {
            while (!stopped) {
                for (String key : keys) {
                    count(key);
                }
            }
            end.complete(null);
        } catch (RuntimeException e) {
            end.completeExceptionally(e);
        } finally {
            connections.values().forEach(RespConnection::close);
        }
    }

    private void count(String key) {
        String owner = owners.getOrDefault(key, members.getFirst().ip());
        try {
            String reply = to(owner).call("INCR", key);
            if (reply.startsWith("-ASK ")) {
                RespConnection other = to(address(reply));
                other.call("ASKING");
                reply = other.call("INCR", key);
            }
            if (reply.startsWith("-MOVED ")) {
                owners.put(key, address(reply));
            } else if (!reply.startsWith("-")) {
                acknowledged.put(key, Long.parseLong(reply));
            }
        } catch (UncheckedIOException e) {
            // Dead or frozen. Another one knows who owns the key; what was sent may have been counted.
            RespConnection broken = connections.remove(owner);
            if (broken != null) {
                broken.close();
            }
            int next = (members.stream().map(ValkeyServer::ip).toList().indexOf(owner) + 1) % members.size();
            owners.put(key, members.get(next).ip());
        }
    }

    private static String address(String redirection) {
        String address = redirection.substring(redirection.lastIndexOf(' ') + 1);
        return address.substring(0, address.lastIndexOf(':'));
    }

    private RespConnection to(String ip) {
        return connections.computeIfAbsent(
                ip,
                it -> members.stream()
                        .filter(member -> member.ip().equals(it))
                        .findFirst()
                        .orElseThrow()
                        .connect(ValkeyServers.TESTER, ValkeyServers.TESTER_PASSWORD));
    }

    /** Writes that were acknowledged so far. */
    long total() {
        synchronized (acknowledged) {
            return acknowledged.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** Ends it, and finds every count at its key's owner just as it was acknowledged. */
    void assertNothingLost() {
        stopped = true;
        end.orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(acknowledged).hasSameSizeAs(keys);
        acknowledged.forEach((key, count) -> {
            List<String> found = members.stream()
                    .map(member -> member.call("GET", key))
                    .filter(reply -> !reply.startsWith("-"))
                    .toList();
            assertThat(found).as(key).containsExactly(Long.toString(count));
        });
    }
}
