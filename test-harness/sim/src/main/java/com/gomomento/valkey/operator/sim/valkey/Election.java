package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.Optional;

/**
 * How a replica becomes primary, and how primaries vote for one. A replica whose primary is held failed waits a moment (longer
 * if siblings have more data), asks every primary for its vote in a new epoch, and takes over with a majority. Each primary
 * votes once an epoch. What failed is tried again after a while. A failover that was asked for waits for the primary's last
 * byte instead, and is voted for although the primary lives.
 */
final class Election {

    private static final long LEAST_TIMEOUT_MILLIS = 2000;
    private static final long OLD_DELAY_UNIT_MILLIS = 500;
    private static final long MANUAL_TIMEOUT_MILLIS = 5000;
    private static final long PING_REPLICA_MILLIS = 10_000;
    private static final int VALIDITY_FACTOR = 10;
    private static final long UNSET = Peer.NEVER;

    private final ValkeyNetwork network;
    private final Server server;
    private final Table table;

    private long startAt = UNSET;
    private boolean asked;
    private int votes;
    private long epoch;
    private int rank;
    private int primaryRank;

    private long manualUntil = UNSET;
    private boolean manualMayStart;
    private long awaitedOffset = -1;
    private NodeId handingOverTo = Peer.NOBODY;

    Election(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.table = server.table();
    }

    private boolean manual() {
        return manualUntil != UNSET;
    }

    /** Whether this primary holds back its clients' writes because a replica is about to take over. */
    boolean pausesWrites() {
        return !handingOverTo.equals(Peer.NOBODY) && network.now() < manualUntil;
    }

    /** One round. */
    void beat() {
        if (manual() && network.now() > manualUntil) {
            resetManual();
        }
        if (table.self.isReplica()) {
            proceedManual();
            proceed();
        }
    }

    void resetManual() {
        manualUntil = UNSET;
        manualMayStart = false;
        awaitedOffset = -1;
        handingOverTo = Peer.NOBODY;
    }

    /** A new primary to follow: nothing that was begun about the old one counts. */
    void forgetElection() {
        resetManual();
        startAt = UNSET;
    }

    /** Somebody claims {@code claimed} or more: an election in that epoch can't be won any more. */
    void outrunBy(long claimed) {
        if (startAt != UNSET && asked && claimed >= epoch) {
            startAt = UNSET;
        }
    }

    // Failover on request

    Reply failover(Server.Failover mode) {
        if (table.self.isPrimary()) {
            return Reply.error("You should send CLUSTER FAILOVER to a replica");
        }
        Optional<Peer> primary = table.find(table.self.primary);
        if (primary.isEmpty()) {
            return Reply.error("I'm a replica but my master is unknown to me");
        }
        if (mode == Server.Failover.GRACEFUL && (primary.get().failed || !primary.get().linkUp)) {
            return Reply.error("Master is down or failed, please use CLUSTER FAILOVER FORCE");
        }
        resetManual();
        manualUntil = network.now() + MANUAL_TIMEOUT_MILLIS;
        switch (mode) {
            case TAKEOVER -> {
                server.claims().bump();
                takeOver();
            }
            case FORCE -> {
                startManual();
                network.soon(server, this::proceed);
            }
            case GRACEFUL -> {
                NodeId id = server.id();
                network.post(server, primary.get(), other -> other.election().handOverTo(id));
            }
        }
        return Reply.OK;
    }

    private void startManual() {
        startAt = UNSET;
        manualMayStart = true;
    }

    /** A replica asks this primary to hand over: writes stop, and the replica hears up to where it must catch up. */
    private void handOverTo(NodeId replica) {
        Optional<Peer> peer = table.find(replica);
        if (peer.isEmpty() || !peer.get().follows(server.id())) {
            return;
        }
        resetManual();
        manualUntil = network.now() + MANUAL_TIMEOUT_MILLIS;
        handingOverTo = replica;
        long offset = server.offset();
        network.post(server, peer.get(), other -> other.election().awaitOffset(server, offset));
    }

    private void awaitOffset(Server primary, long offset) {
        if (manual() && table.self.follows(primary.id()) && awaitedOffset == -1) {
            awaitedOffset = offset;
            proceedManual();
        }
    }

    /** Any message of a primary that is paused tells the offset again. */
    void heardOffset(Peer sender, Server from) {
        if (manual() && table.self.follows(sender.id) && from.election().pausesWrites()) {
            awaitOffset(from, from.offset());
        }
    }

    /** Data has come in: perhaps it was the last that a failover on request waits for. */
    void proceedManual() {
        if (manual() && !manualMayStart && awaitedOffset != -1 && awaitedOffset == server.offset()) {
            startManual();
            network.soon(server, this::proceed);
        }
    }

    // Elections

    /** Moves an election on, as far as it goes now. */
    void proceed() {
        Optional<Peer> known = table.find(table.self.primary);
        boolean onRequest = manual() && manualMayStart;
        if (table.self.isPrimary() || known.isEmpty() || (!known.get().failed && !onRequest)) {
            return;
        }
        if (!onRequest && dataTooOld()) {
            return;
        }
        long now = network.now();
        boolean instant = false;
        if (startAt == UNSET || now - startAt > 2 * timeoutMillis()) {
            instant = schedule(now);
            if (now < startAt) {
                return;
            }
        }
        if (!asked && !manual() && !instant) {
            reschedule(now);
        }
        if (now < startAt || now - startAt > timeoutMillis()) {
            return;
        }
        if (!asked) {
            ask();
        } else if (votes >= table.majority()) {
            table.self.configEpoch = Math.max(table.self.configEpoch, epoch);
            takeOver();
        }
    }

    private long timeoutMillis() {
        return Math.max(2 * server.nodeTimeoutMillis(), LEAST_TIMEOUT_MILLIS);
    }

    /** From 9.1 on, waiting times shrink with the node timeout. */
    private long unitMillis() {
        return server.release().compareTo(ValkeyNetwork.V9_1) < 0
                ? OLD_DELAY_UNIT_MILLIS
                : Math.min(server.nodeTimeoutMillis() / 30, OLD_DELAY_UNIT_MILLIS);
    }

    private boolean dataTooOld() {
        long ageMillis = server.replication().dataAgeMillis();
        if (ageMillis > server.nodeTimeoutMillis()) {
            ageMillis -= server.nodeTimeoutMillis();
        }
        return ageMillis > PING_REPLICA_MILLIS + VALIDITY_FACTOR * server.nodeTimeoutMillis();
    }

    /** @return whether it begins at once */
    private boolean schedule(long now) {
        boolean modern = server.release().compareTo(ValkeyNetwork.V9_1) >= 0;
        long unit = unitMillis();
        rank = replicaRank();
        primaryRank = failedPrimaryRank();
        votes = 0;
        asked = false;
        long jitter = unit == 0 ? 0 : network.dice().below((int) unit);
        startAt = now + unit + jitter + rank * 2L * unit + primaryRank * unit;
        if (modern && server.offset() == 0) {
            startAt += OLD_DELAY_UNIT_MILLIS;
        }
        if (manual()) {
            startAt = now;
            rank = 0;
            primaryRank = 0;
        } else if (bestReplica()) {
            startAt = now;
        }
        tellSiblings();
        return startAt == now;
    }

    private void reschedule(long now) {
        int newRank = replicaRank();
        startAt += (newRank - rank) * 2L * unitMillis();
        rank = newRank;
        int newPrimaryRank = failedPrimaryRank();
        startAt += (newPrimaryRank - primaryRank) * unitMillis();
        primaryRank = newPrimaryRank;
        if (bestReplica()) {
            startAt = now;
        }
    }

    /** From 9.1 on: nobody can have more data than this replica, and all siblings know that the primary failed. */
    private boolean bestReplica() {
        boolean modern = server.release().compareTo(ValkeyNetwork.V9_1) >= 0;
        if (!modern || server.offset() == 0 || rank != 0 || primaryRank != 0) {
            return false;
        }
        return table.others().stream()
                .filter(peer -> peer.follows(table.self.primary))
                .allMatch(peer -> peer.primaryFailed);
    }

    private int replicaRank() {
        int ahead = 0;
        for (Peer peer : table.others()) {
            if (!peer.follows(table.self.primary)) {
                continue;
            }
            boolean tie = peer.offset == server.offset();
            boolean first =
                    tie && server.release().compareTo(ValkeyNetwork.V9_1) >= 0 && peer.id.compareTo(server.id()) < 0;
            ahead += peer.offset > server.offset() || first ? 1 : 0;
        }
        return ahead;
    }

    /** Several shards without a primary take turns, so that their replicas don't take votes from one another. */
    private int failedPrimaryRank() {
        int before = 0;
        for (Peer peer : table.others()) {
            boolean counts = peer.failed
                    && peer.votes()
                    && network.now() - peer.failedAt <= VALIDITY_FACTOR * server.nodeTimeoutMillis()
                    && Long.compareUnsigned(peer.shard, table.self.shard) < 0
                    && table.others().stream().anyMatch(replica -> replica.follows(peer.id));
            before += counts ? 1 : 0;
        }
        return before;
    }

    private void tellSiblings() {
        for (Peer peer : table.others()) {
            if (peer.follows(table.self.primary) && peer.linkUp) {
                network.post(server, peer, other -> network.gossip().arriveUnasked(other, server));
            }
        }
    }

    private void ask() {
        table.currentEpoch++;
        epoch = table.currentEpoch;
        asked = true;
        table.touch();
        boolean force = manual() || bestReplica();
        long claimedEpoch = table.shardPrimary().configEpoch;
        SlotSet claimed = table.shardPrimary().slots;
        long requested = epoch;
        for (Peer peer : table.others()) {
            if (peer.linkUp && !peer.handshake) {
                network.post(
                        server, peer, voter -> voter.election().vote(server, requested, claimedEpoch, claimed, force));
            }
        }
    }

    private void vote(Server candidate, long requested, long claimedEpoch, SlotSet claimed, boolean force) {
        Optional<Peer> known = table.find(candidate.id());
        if (known.isEmpty() || known.get().handshake) {
            return;
        }
        Peer peer = known.get();
        if (requested > table.currentEpoch) {
            table.currentEpoch = requested;
            table.touch();
        }
        boolean entitled = table.self.votes() && server.serving().mayVote();
        if (!entitled || requested < table.currentEpoch || table.lastVoteEpoch == table.currentEpoch) {
            return;
        }
        Optional<Peer> primary = table.find(peer.primary);
        if (peer.isPrimary() || primary.isEmpty() || (!primary.get().failed && !force)) {
            return;
        }
        if (server.claims().knowsNewerOwner(peer, claimedEpoch, claimed)) {
            server.claims().correct(peer, claimedEpoch, claimed);
            return;
        }
        table.lastVoteEpoch = table.currentEpoch;
        NodeId voter = server.id();
        long voterEpoch = table.currentEpoch;
        network.post(server, peer, other -> other.election().count(voter, voterEpoch));
    }

    private void count(NodeId voter, long voterEpoch) {
        boolean counts = table.find(voter).filter(Peer::votes).isPresent();
        if (counts && asked && voterEpoch >= epoch) {
            votes++;
            proceed();
        }
    }

    /** The slots of the primary are this server's now, and everybody is told. */
    private void takeOver() {
        Optional<Peer> old = table.find(table.self.primary);
        if (table.self.isPrimary() || old.isEmpty()) {
            return;
        }
        SlotSet slots = old.get().slots;
        table.makePrimary(table.self);
        table.self.primaryFailed = false;
        server.replication().becomePrimary();
        if (!slots.isEmpty()) {
            table.assign(table.self, slots);
        }
        server.serving().update();
        server.changed();
        server.roles().broadcast();
        forgetElection();
        server.roles().dropForeignKeys();
    }
}
