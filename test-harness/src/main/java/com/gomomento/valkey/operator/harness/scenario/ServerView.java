package com.gomomento.valkey.operator.harness.scenario;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one server says, asked at its pod's own address: its belief about the cluster, all of it from one round trip.
 *
 * @param pod its name
 * @param ip its address
 * @param id its own id
 * @param nodes its {@code CLUSTER NODES} by id
 * @param owners its {@code CLUSTER SLOTS}: the owner's id by the first slot of each range
 * @param coveredSlots how many slots those ranges hold
 * @param clusterInfo its {@code CLUSTER INFO}
 * @param replication its {@code INFO replication}
 */
public record ServerView(
        String pod,
        String ip,
        String id,
        SortedMap<String, NodeLine> nodes,
        SortedMap<Integer, String> owners,
        int coveredSlots,
        Map<String, String> clusterInfo,
        Map<String, String> replication) {

    private static final Duration DEADLINE = Duration.ofSeconds(3);

    /** What a server must be told to let us in, where the default user is off. */
    public record Login(String user, String password) {}

    /**
     * Asks a server.
     *
     * @throws IOException if it does not answer within 3 s
     */
    public static ServerView ask(String pod, String ip, Optional<Login> login) throws IOException {
        try (RespConnection connection = RespConnection.open(ip, DEADLINE)) {
            if (login.isPresent()) {
                connection
                        .call("AUTH", login.get().user(), login.get().password())
                        .text();
            }
            List<Reply> replies = connection.pipeline(List.of(
                    List.of("CLUSTER", "MYID"),
                    List.of("CLUSTER", "NODES"),
                    List.of("CLUSTER", "SLOTS"),
                    List.of("CLUSTER", "INFO"),
                    List.of("INFO", "replication")));
            SortedMap<String, NodeLine> nodes = new TreeMap<>();
            replies.get(1)
                    .text()
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(NodeLine::parse)
                    .forEach(line -> nodes.put(line.id(), line));
            SortedMap<Integer, String> owners = new TreeMap<>();
            int covered = 0;
            for (Reply range : replies.get(2).items()) {
                List<Reply> parts = range.items();
                int first = Integer.parseInt(parts.get(0).text());
                covered += Integer.parseInt(parts.get(1).text()) - first + 1;
                owners.put(first, parts.get(2).items().get(2).text());
            }
            return new ServerView(
                    pod,
                    ip,
                    replies.get(0).text(),
                    nodes,
                    owners,
                    covered,
                    fields(replies.get(3).text()),
                    fields(replies.get(4).text()));
        }
    }

    /** Its line about itself. */
    NodeLine self() {
        return Optional.ofNullable(nodes.get(id)).orElseThrow(() -> new ScenarioFailure(pod + " does not list itself"));
    }

    private static Map<String, String> fields(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines()
                .map(line -> line.split(":", 2))
                .filter(pair -> pair.length == 2)
                .forEach(pair -> fields.put(pair[0].strip(), pair[1].strip()));
        return fields;
    }
}
