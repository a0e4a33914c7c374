package com.gomomento.valkey.operator.harness.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A client of a whole cluster, as an application has one: follows redirections, reconnects, tries again for a while. Not
 * shared between threads.
 */
public final class ClusterClient implements AutoCloseable {

    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int SLOTS = 16_384;

    private final Supplier<List<String>> seeds;
    private final Map<String, RespConnection> connections = new HashMap<>();
    private final Map<Integer, String> addresses = new HashMap<>();

    /** A client that finds the cluster through any of {@code seeds}, addresses without port. */
    public ClusterClient(Supplier<List<String>> seeds) {
        this.seeds = seeds;
    }

    /**
     * Sends a command to the owner of its key.
     *
     * @param key decides the slot
     * @param patience in which redirections are followed and failures are tried again
     * @throws IOException if it was not carried out in that time; it may have been all the same
     */
    public Reply call(Duration patience, String key, String... command) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        String last = "no node to ask";
        while (true) {
            try {
                Reply reply = connection(address(slot(key))).call(command);
                if (!(reply instanceof Reply.Failure(String error))) {
                    return reply;
                }
                last = error;
                if (!learn(error)) {
                    return reply;
                }
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
                forget(slot(key));
            }
            if (System.nanoTime() > end) {
                throw new IOException("gave up on " + key + " after " + patience.toSeconds() + " s: " + last);
            }
            Patience.pause(PAUSE);
        }
    }

    /** Sends a command for each key, to each node all of its commands at once; failures are then tried one by one. */
    public SortedMap<String, Reply> callAll(Duration patience, SortedMap<String, List<String>> commands)
            throws IOException {
        SortedMap<String, Reply> replies = new TreeMap<>();
        Map<String, List<String>> keysByAddress = new TreeMap<>();
        refresh();
        commands.keySet()
                .forEach(key -> keysByAddress
                        .computeIfAbsent(addresses.getOrDefault(slot(key), ""), address -> new ArrayList<>())
                        .add(key));
        for (Map.Entry<String, List<String>> group : keysByAddress.entrySet()) {
            List<String> keys = group.getValue();
            if (!group.getKey().isEmpty()) {
                List<Reply> answers = connection(group.getKey())
                        .pipeline(keys.stream()
                                .map(key -> commands.getOrDefault(key, List.of()))
                                .toList());
                for (int i = 0; i < keys.size(); i++) {
                    if (!(answers.get(i) instanceof Reply.Failure)) {
                        replies.put(keys.get(i), answers.get(i));
                    }
                }
            }
        }
        for (Map.Entry<String, List<String>> rest : commands.entrySet()) {
            if (!replies.containsKey(rest.getKey())) {
                replies.put(
                        rest.getKey(),
                        call(patience, rest.getKey(), rest.getValue().toArray(new String[0])));
            }
        }
        return replies;
    }

    /** The slot of a key without a hash tag: CRC16 (XMODEM) modulo 16384. */
    public static int slot(String key) {
        int crc = 0;
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
            crc &= 0xffff;
        }
        return crc % SLOTS;
    }

    @Override
    public void close() {
        connections.values().forEach(RespConnection::close);
        connections.clear();
    }

    /** Takes in what a refusal says; returns whether to try again. */
    private boolean learn(String error) {
        String[] words = error.split(" ", -1);
        if (words[0].equals("MOVED") && words.length == 3) {
            String address = words[2].substring(0, words[2].lastIndexOf(':'));
            addresses.put(Integer.valueOf(words[1]), address);
            return true;
        }
        boolean passing = List.of("CLUSTERDOWN", "LOADING", "TRYAGAIN", "READONLY", "MASTERDOWN")
                .contains(words[0]);
        if (passing) {
            addresses.clear();
        }
        return passing;
    }

    private String address(int slot) throws IOException {
        String known = addresses.get(slot);
        if (known == null) {
            refresh();
            known = addresses.get(slot);
        }
        if (known == null) {
            throw new IOException("nobody owns slot " + slot);
        }
        return known;
    }

    private void refresh() throws IOException {
        IOException last = new IOException("there is no node to ask");
        for (String seed : seeds.get()) {
            try {
                for (Reply range : connection(seed).call("CLUSTER", "SLOTS").items()) {
                    List<Reply> parts = range.items();
                    String owner = parts.get(2).items().getFirst().text();
                    int end = Integer.parseInt(parts.get(1).text());
                    for (int slot = Integer.parseInt(parts.get(0).text()); slot <= end; slot++) {
                        addresses.put(slot, owner);
                    }
                }
                return;
            } catch (IOException e) {
                drop(seed);
                last = e;
            }
        }
        throw last;
    }

    private RespConnection connection(String address) throws IOException {
        RespConnection open = connections.get(address);
        if (open == null) {
            open = RespConnection.open(address, ANSWER);
            connections.put(address, open);
        }
        return open;
    }

    private void forget(int slot) {
        String address = addresses.get(slot);
        if (address != null) {
            drop(address);
        }
        addresses.clear();
    }

    private void drop(String address) {
        RespConnection connection = connections.remove(address);
        if (connection != null) {
            connection.close();
        }
    }
}
