package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * All valkey-server processes of a world, and the network between them. Clients and the operator reach every address; {@link
 * #cut} is about the servers' own ways to one another.
 */
public final class ValkeyNetwork {

    /** The release from which elections wait less, and young primaries don't vote. */
    static final ServerVersion V9_1 = new ServerVersion(9, 1, 0);

    /** Time between two rounds of every server's own work, as in the engine. */
    static final long ROUND_MILLIS = 100;

    private static final long KEYS_COPIED_PER_MILLI = 100;

    private final Timeline timeline;
    private final Dice dice;
    private final Gossip gossip = new Gossip(this);
    private final BeliefPool beliefs = new BeliefPool();
    private final Map<String, Server> byIp = new LinkedHashMap<>();
    private final Map<String, Set<String>> cuts = new HashMap<>();
    private List<Server> running = List.of();
    private boolean beating;
    private int firstInRound;

    /** No process yet. All chance comes from {@code dice}, which nobody else should roll. */
    public ValkeyNetwork(Timeline timeline, Dice dice) {
        this.timeline = timeline;
        this.dice = dice;
    }

    /**
     * Starts a process with an id of its own and no data.
     *
     * @param ip address of its own; whoever has it must have been killed before
     * @param hostname announced name; empty for none
     * @param version of the server
     * @param nodeTimeoutMillis {@code cluster-node-timeout}, 1 or more
     */
    public Server start(String ip, String hostname, ServerVersion version, long nodeTimeoutMillis) {
        Check.notBlank("ip", ip);
        Check.atLeast("node timeout in ms", 1, nodeTimeoutMillis);
        Check.that(!byIp.containsKey(ip), "address " + ip + " is in use");
        Server server = new Server(this, newId(), ip, hostname, version, nodeTimeoutMillis);
        byIp.put(ip, server);
        running = List.copyOf(byIp.values());
        if (!beating) {
            beating = true;
            timeline.after(ROUND_MILLIS, this::round);
        }
        return server;
    }

    /** The process at an address. */
    public Optional<Server> at(String ip) {
        return Optional.ofNullable(byIp.get(ip));
    }

    /** All processes that live, frozen ones included, in the order of their start. */
    public Collection<Server> running() {
        return running;
    }

    /** Ends a process. Its data is gone, its connections break. No effect on one that has ended. */
    public void kill(Server server) {
        if (byIp.get(server.ip()) != server) {
            return;
        }
        byIp.remove(server.ip());
        running = List.copyOf(byIp.values());
        server.end();
        for (Server other : running) {
            other.heartbeat().disconnected(server.ip());
            if (other.replication().isFrom(server)) {
                other.replication().disconnect();
            }
        }
    }

    /** Stops a process where it is ({@code SIGSTOP}): it keeps its connections and says nothing. */
    public void freeze(Server server) {
        server.freeze(true);
    }

    /** Lets a process go on ({@code SIGCONT}). It first hears what others sent meanwhile. */
    public void thaw(Server server) {
        if (server.isFrozen()) {
            server.freeze(false);
            soon(server, () -> wake(server));
        }
    }

    private void wake(Server server) {
        for (Server other : running) {
            if (other == server || other.isFrozen()) {
                continue;
            }
            for (Peer peer : other.table().others()) {
                if (peer.ip.equals(server.ip()) && peer.pingedAt != Peer.NEVER && peer.linkUp) {
                    gossip.ping(other, peer);
                }
            }
        }
        server.beat();
    }

    /**
     * Cuts the way from one address to another, for the bus and replication. Connections need both directions, so a cut of
     * one already keeps the two from talking; both must be mended.
     */
    public void cut(String fromIp, String toIp) {
        cuts.computeIfAbsent(fromIp, ip -> new LinkedHashSet<>()).add(toIp);
    }

    /** Mends what {@link #cut} has cut. */
    public void mend(String fromIp, String toIp) {
        Set<String> from = cuts.get(fromIp);
        if (from != null) {
            from.remove(toIp);
        }
    }

    // What servers need of the world

    long now() {
        return timeline.nowMillis();
    }

    Dice dice() {
        return dice;
    }

    Gossip gossip() {
        return gossip;
    }

    BeliefPool beliefs() {
        return beliefs;
    }

    NodeId newId() {
        HexFormat hex = HexFormat.of();
        return new NodeId(
                hex.toHexDigits(dice.next()) + hex.toHexDigits(dice.next()) + hex.toHexDigits((int) dice.next()));
    }

    long newShard() {
        return dice.next();
    }

    void after(long delayMillis, Runnable what) {
        timeline.after(delayMillis, what);
    }

    /** Does something in a server a moment later, unless it has ended or stands still then. */
    void soon(Server server, Runnable what) {
        timeline.after(dice.between(1, 3), () -> {
            if (server.answers()) {
                what.run();
            }
        });
    }

    /** Whether a process listens at an address, be it frozen. */
    boolean listens(String ip) {
        return byIp.containsKey(ip);
    }

    /** Who answers at an address, if the way is open. */
    Optional<Server> listener(Server from, String ip) {
        Server to = byIp.get(ip);
        return to != null && reaches(from, to) ? Optional.of(to) : Optional.empty();
    }

    /** Whether two processes can talk now. */
    public boolean reaches(Server from, Server to) {
        return from.answers() && to.answers() && open(from.ip(), to.ip()) && open(to.ip(), from.ip());
    }

    private boolean open(String fromIp, String toIp) {
        if (cuts.isEmpty()) {
            return true;
        }
        Set<String> from = cuts.get(fromIp);
        return from == null || !from.contains(toIp);
    }

    /** Sends a message over the link to a peer; it is lost if the peer can't be reached when it arrives. */
    void post(Server from, Peer to, Consumer<Server> message) {
        Server receiver = byIp.get(to.ip);
        if (!to.linkUp || receiver == null || !receiver.id().equals(to.id)) {
            return;
        }
        timeline.after(dice.between(1, 3), () -> {
            if (receiver.answers() && open(from.ip(), receiver.ip()) && open(receiver.ip(), from.ip())) {
                message.accept(receiver);
            }
        });
    }

    List<Server> replicasOf(Server primary) {
        List<Server> replicas = new ArrayList<>();
        for (Server server : running) {
            if (server.replication().isFrom(primary)) {
                replicas.add(server);
            }
        }
        return replicas;
    }

    long fullCopyMillis(int keys) {
        return dice.between(50, 250) + keys / KEYS_COPIED_PER_MILLI;
    }

    private void round() {
        List<Server> all = running;
        if (all.isEmpty()) {
            beating = false;
            return;
        }
        firstInRound = (firstInRound + 1) % all.size();
        for (int i = 0; i < all.size(); i++) {
            Server server = all.get((firstInRound + i) % all.size());
            if (server.answers()) {
                server.beat();
            }
        }
        timeline.after(ROUND_MILLIS, this::round);
    }
}
