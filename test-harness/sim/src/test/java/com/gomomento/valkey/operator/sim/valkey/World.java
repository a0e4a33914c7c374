package com.gomomento.valkey.operator.sim.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Servers on a timeline of their own, and what tests do with them again and again. */
final class World {

    static final ServerVersion V8_1 = new ServerVersion(8, 1, 1);
    static final ServerVersion V9_1 = new ServerVersion(9, 1, 2);

    final Timeline timeline = new Timeline();
    final ValkeyNetwork network;
    private final ServerVersion version;
    private final long nodeTimeoutMillis;
    private final List<Server> started = new ArrayList<>();

    World(long seed, ServerVersion version, long nodeTimeoutMillis) {
        this.network = new ValkeyNetwork(timeline, new Dice(seed));
        this.version = version;
        this.nodeTimeoutMillis = nodeTimeoutMillis;
    }

    static World of(ServerVersion version) {
        return new World(7, version, 2000);
    }

    /** A new process at the next address. */
    Server start() {
        return startAt("10.0.0." + (started.size() + 1));
    }

    Server startAt(String ip) {
        Server server = network.start(ip, "host-" + started.size(), version, nodeTimeoutMillis);
        started.add(server);
        return server;
    }

    /** Processes that were started, by the order of that. */
    Server server(int index) {
        return started.get(index);
    }

    List<Server> servers() {
        return started;
    }

    /** A cluster at peace: servers 0 to {@code shards - 1} are primaries, the replicas of shard 0 come next, and so on. */
    void form(int shards, int replicas) {
        for (int i = 0; i < shards * (1 + replicas); i++) {
            start();
        }
        for (int i = 0; i < shards; i++) {
            done(server(i).setConfigEpoch(i + 1));
            done(server(i).addSlots(SlotSet.share(i, shards)));
        }
        for (int i = 1; i < started.size(); i++) {
            done(server(0).meet(server(i).ip()));
        }
        passUntil("all know all", 10_000, this::allKnowAll);
        for (int shard = 0; shard < shards; shard++) {
            for (int i = 0; i < replicas; i++) {
                Server replica = server(shards + shard * replicas + i);
                done(replica.replicate(server(shard).id()));
            }
        }
        passUntil("peace", 20_000, this::atPeace);
    }

    private boolean allKnowAll() {
        return network.running().stream()
                .allMatch(server ->
                        server.report().view().size() == network.running().size()
                                && server.report().view().all().stream().noneMatch(line -> line.handshake()));
    }

    /** All live servers believe the same, serve, and have their replicas in sync. */
    boolean atPeace() {
        Object first = network.running().iterator().next().report().view();
        return network.running().stream().allMatch(server -> {
            var report = server.report();
            return report.clusterOk()
                    && report.view().equals(first)
                    && report.replication().stream().allMatch(link -> link.up());
        });
    }

    static void done(Reply reply) {
        assertThat(reply).matches(Reply::done);
    }

    void pass(long millis) {
        timeline.pass(Duration.ofMillis(millis));
    }

    /**
     * Lets time pass until something holds.
     *
     * @return how long that took, in ms
     */
    long passUntil(String what, long limitMillis, BooleanSupplier condition) {
        long begin = timeline.nowMillis();
        while (!condition.getAsBoolean()) {
            if (timeline.nowMillis() - begin > limitMillis) {
                throw new AssertionError(what + " did not come within " + limitMillis + " ms\n" + describe());
            }
            pass(10);
        }
        return timeline.nowMillis() - begin;
    }

    /** Everybody's beliefs, for messages. */
    String describe() {
        StringBuilder text = new StringBuilder();
        for (Server server : network.running()) {
            text.append(server).append(server.answers() ? "" : " frozen").append('\n');
            if (server.answers()) {
                var report = server.report();
                text.append("  ok ").append(report.clusterOk()).append(' ').append(report.replication());
                text.append(" offset ").append(report.offset().bytes()).append('\n');
                report.view()
                        .all()
                        .forEach(line -> text.append("  ").append(line).append('\n'));
            }
        }
        return text.toString();
    }

    /** Who serves a slot to clients now. */
    Optional<Server> servingSlot(int slot) {
        return network.running().stream()
                .filter(server -> server.serves().contains(slot))
                .findFirst();
    }
}
