package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import java.util.Optional;

/**
 * One server's links, pings and verdicts over its peers. It suspects ({@code fail?}) whom it could not reach for longer than
 * the node timeout, and holds failed ({@code fail}) whom a majority of the primaries with slots suspects too.
 */
final class Heartbeat {

    /** Rounds between two pings that go out whatever else happens. */
    private static final int ROUNDS_PER_PING = 10;

    private static final int PING_CANDIDATES = 5;

    private final ValkeyNetwork network;
    private final Server server;
    private final Table table;
    private long round;

    Heartbeat(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.table = server.table();
        this.round = network.dice().below(ROUNDS_PER_PING);
    }

    /** One round, every {@link ValkeyNetwork#ROUND_MILLIS}. */
    void beat() {
        round++;
        for (Peer peer : table.others()) {
            connect(peer);
        }
        if (round % ROUNDS_PER_PING == 0) {
            pingOne();
        }
        for (Peer peer : table.others()) {
            if (peer.hasAddress() && !peer.handshake) {
                check(peer);
            }
        }
    }

    private void connect(Peer peer) {
        if (!peer.hasAddress()) {
            return;
        }
        long now = network.now();
        if (peer.handshake && now - peer.bornAt > server.handshakeMillis()) {
            table.remove(peer);
            return;
        }
        if (peer.strangerSince != Peer.NEVER && !peer.handshake) {
            meetAgain(peer, now);
        }
        if (peer.linkUp) {
            return;
        }
        if (!network.listens(peer.ip)) {
            if (peer.pingedAt == Peer.NEVER) {
                peer.pingedAt = now;
            }
            return;
        }
        peer.linkUp = true;
        peer.linkedAt = now;
        table.touch();
        network.gossip().ping(server, peer);
    }

    private void meetAgain(Peer peer, long now) {
        boolean patient = now - peer.strangerSince <= server.handshakeMillis();
        if (patient || now - peer.metAt <= server.handshakeMillis() || !peer.linkUp) {
            return;
        }
        peer.metAt = now;
        peer.meet = true;
        network.gossip().ping(server, peer);
    }

    private void pingOne() {
        int size = table.others().size();
        Optional<Peer> stalest = Optional.empty();
        for (int i = 0; i < PING_CANDIDATES && size > 0; i++) {
            Peer peer = table.others().get(network.dice().below(size));
            if (!peer.linkUp || peer.pingedAt != Peer.NEVER || peer.handshake) {
                continue;
            }
            if (stalest.isEmpty() || peer.pongAt < stalest.get().pongAt) {
                stalest = Optional.of(peer);
            }
        }
        stalest.ifPresent(peer -> network.gossip().ping(server, peer));
    }

    private void check(Peer peer) {
        long now = network.now();
        long half = server.nodeTimeoutMillis() / 2;
        if (peer.pingedAt == Peer.NEVER) {
            if (peer.linkUp && now - peer.pongAt > half) {
                network.gossip().ping(server, peer);
            }
            return;
        }
        if (peer.linkUp && network.listener(server, peer.ip).isPresent()) {
            // The way was cut and is open again: TCP sends anew what got lost.
            network.gossip().ping(server, peer);
            if (peer.pingedAt == Peer.NEVER) {
                return;
            }
        }
        boolean stale = peer.linkUp && now - peer.linkedAt > server.nodeTimeoutMillis();
        if (stale && now - peer.pingedAt > half && now - peer.heardAt > half) {
            peer.linkUp = false;
            table.touch();
        }
        if (silenceMillis(peer, now) > server.nodeTimeoutMillis() && !peer.troubled()) {
            peer.suspected = true;
            server.changed();
            if (table.self.votes()) {
                judge(peer);
            }
        }
    }

    private static long silenceMillis(Peer peer, long now) {
        return now - Math.max(peer.pingedAt, peer.heardAt);
    }

    /** {@code reporter}, whose vote counts, can't reach {@code peer} either. */
    void report(Peer peer, NodeId reporter) {
        peer.reports.put(reporter, network.now());
    }

    /** Holds a suspect failed if enough others suspect it. */
    void judge(Peer peer) {
        if (!peer.suspected) {
            return;
        }
        long validMillis = 2 * server.nodeTimeoutMillis();
        peer.reports.values().removeIf(at -> network.now() - at > validMillis);
        int votes = peer.reports.size() + (table.self.votes() ? 1 : 0);
        if (votes >= table.majority()) {
            markFailed(peer);
            spreadFailure(peer);
        }
    }

    /** From now on it is failed in this server's eyes. */
    void markFailed(Peer peer) {
        peer.failed = true;
        peer.suspected = false;
        peer.failedAt = network.now();
        if (table.self.follows(peer.id)) {
            table.self.primaryFailed = true;
            network.soon(server, () -> server.election().proceed());
        }
        server.changed();
    }

    /** Tells everybody that it failed; they believe it without a look of their own. */
    void spreadFailure(Peer peer) {
        NodeId id = peer.id;
        NodeId from = server.id();
        for (Peer other : table.others()) {
            if (other.linkUp && !other.handshake) {
                network.post(server, other, receiver -> receiver.heartbeat().toldOfFailure(from, id));
            }
        }
    }

    private void toldOfFailure(NodeId from, NodeId id) {
        Optional<Peer> peer = table.find(id);
        if (table.knows(from) && peer.isPresent() && peer.get() != table.self && !peer.get().failed) {
            markFailed(peer.get());
        }
    }

    /** It answers again. A primary with slots stays failed for a while, in which a replica may take its place. */
    void reachableAgain(Peer peer) {
        boolean undo = !peer.votes() || network.now() - peer.failedAt > 2 * server.nodeTimeoutMillis();
        if (undo) {
            peer.failed = false;
            if (table.self.follows(peer.id)) {
                table.self.primaryFailed = false;
            }
            server.changed();
        }
    }

    /** Its process is gone, and the connection with it. */
    void disconnected(String ip) {
        for (Peer peer : table.others()) {
            if (peer.ip.equals(ip) && peer.linkUp) {
                peer.linkUp = false;
                table.touch();
            }
        }
    }
}
