package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One valkey-server process in cluster mode. What it believes is its own, and may be wrong; {@link #report} is what an
 * administrator reads from it, and the commands are what one may tell it. A command to a process that is gone or frozen is
 * answered by {@link Reply#SILENCE} and does nothing.
 */
public final class Server {

    private static final long BYTES_PER_KEY = 100;
    private static final long MAX_BYTES = 1L << 30;

    private final ValkeyNetwork network;
    private final String ip;
    private final String hostname;
    private final ServerVersion release;
    private final long nodeTimeoutMillis;

    private final Table table;
    private final Dataset data = new Dataset();
    private final Replication replication;
    private final Heartbeat heartbeat;
    private final ServingState serving;
    private final SlotClaims claims;
    private final Election election;
    private final ClusterCommands commands;
    private final ClientPort clients;

    private boolean ended;
    private boolean frozen;
    private boolean stateDirty = true;
    private boolean broadcastPlanned;
    private Optional<Beliefs> view = Optional.empty();
    private long viewVersion = -1;

    Server(
            ValkeyNetwork network,
            NodeId id,
            String ip,
            String hostname,
            ServerVersion release,
            long nodeTimeoutMillis) {
        this.network = network;
        this.ip = ip;
        this.hostname = hostname;
        this.release = release;
        this.nodeTimeoutMillis = nodeTimeoutMillis;
        Peer self = new Peer(id, ip, network.now());
        self.hostname = hostname;
        self.linkUp = true;
        self.shard = network.newShard();
        this.table = new Table(self);
        this.replication = new Replication(network, this);
        this.heartbeat = new Heartbeat(network, this);
        this.serving = new ServingState(network, this);
        this.claims = new SlotClaims(network, this);
        this.election = new Election(network, this);
        this.commands = new ClusterCommands(network, this);
        this.clients = new ClientPort(this);
    }

    /** How a replica is made primary on request. */
    public enum Failover {
        /** The primary pauses its clients until the replica has every byte. */
        GRACEFUL,
        /** Without the primary, but with the votes of the others. */
        FORCE,
        /** Without anybody. */
        TAKEOVER
    }

    // Who it is

    /** Its own id; another one after {@code RESET HARD}. */
    public NodeId id() {
        return table.self.id;
    }

    /** Its address. */
    public String ip() {
        return ip;
    }

    /** The name that it announces; empty if none. */
    public String hostname() {
        return hostname;
    }

    /** Its version. */
    public ServerVersion release() {
        return release;
    }

    /** Whether the process lives and is not frozen. */
    public boolean answers() {
        return !ended && !frozen;
    }

    /** Whether the process has ended. */
    public boolean hasEnded() {
        return ended;
    }

    /** Whether the process stands still. */
    public boolean isFrozen() {
        return frozen;
    }

    // What an administrator reads

    /**
     * Its answers to {@code MYID}, {@code CLUSTER NODES}, {@code CLUSTER INFO}, {@code INFO} and {@code GETSLOTMIGRATIONS},
     * all of one moment. Ask only a process that {@link #answers}.
     */
    public NodeReport.Reachable report() {
        return new NodeReport.Reachable(
                id(),
                release.toString(),
                table.self.role,
                table.self.isReplica() ? Optional.of(replication.link()) : Optional.empty(),
                new ReplicationOffset(replication.offset()),
                clusterOk(),
                table.currentEpoch,
                view(),
                List.of(),
                new NodeReport.MemoryUse(data.size() * BYTES_PER_KEY, MAX_BYTES));
    }

    private Beliefs view() {
        if (view.isEmpty() || viewVersion != table.version()) {
            view = Optional.of(network.beliefs().of(table));
            viewVersion = table.version();
        }
        return view.get();
    }

    // What an administrator tells it

    private Reply answer(Supplier<Reply> command) {
        return answers() ? command.get() : Reply.SILENCE;
    }

    /** {@code CLUSTER MEET}: always OK; whether the two get to know each other shows later. */
    public Reply meet(String otherIp) {
        return answer(() -> commands.meet(otherIp));
    }

    /** {@code CLUSTER ADDSLOTSRANGE}. */
    public Reply addSlots(SlotSet slots) {
        return answer(() -> commands.addSlots(slots));
    }

    /** {@code CLUSTER SET-CONFIG-EPOCH}. */
    public Reply setConfigEpoch(long epoch) {
        return answer(() -> commands.setConfigEpoch(epoch));
    }

    /** {@code CLUSTER BUMPEPOCH}. */
    public Reply bumpEpoch() {
        return answer(commands::bumpEpoch);
    }

    /** {@code CLUSTER REPLICATE}. */
    public Reply replicate(NodeId primary) {
        return answer(() -> commands.replicate(primary));
    }

    /** {@code CLUSTER FORGET}. */
    public Reply forget(NodeId other) {
        return answer(() -> commands.forget(other));
    }

    /** {@code CLUSTER FAILOVER}: OK says only that it was begun. */
    public Reply failover(Failover mode) {
        return answer(() -> election.failover(mode));
    }

    /** {@code CLUSTER RESET}, {@code HARD} or {@code SOFT}. */
    public Reply reset(boolean hard) {
        return answer(() -> commands.reset(hard));
    }

    // Clients

    /**
     * Writes a key. An OK is the acknowledgement that a client gets; replicas have the change a moment later.
     *
     * @param slot 0 to 16383
     * @param key number within the slot, 0 or more
     * @param version what the key is set to, 1 or more
     */
    public Reply write(int slot, int key, long version) {
        return answer(() -> clients.write(slot, key, version, false));
    }

    /** Reads a key. */
    public Reply read(int slot, int key) {
        return answer(() -> clients.read(slot, key, false));
    }

    /** Writes a key as one who was sent here by an {@link Reply.Kind#ASK}. */
    public Reply writeAsking(int slot, int key, long version) {
        return answer(() -> clients.write(slot, key, version, true));
    }

    /** Reads a key as one who was sent here by an {@link Reply.Kind#ASK}. */
    public Reply readAsking(int slot, int key) {
        return answer(() -> clients.read(slot, key, true));
    }

    // What is so, for checkers; none of this can be seen from outside

    /** Slots for which it takes writes now; empty if the process is gone, stands still, is a replica or holds back. */
    public SlotSet serves() {
        return answers() && clusterOk() && table.self.isPrimary() ? table.self.slots : SlotSet.EMPTY;
    }

    /** Version of each key here, by {@code slot << 32 | key}. A view: read it, don't keep it. */
    public Map<Long, Long> keys() {
        return data.all();
    }

    /** Whether it has all data of {@code primary}, but for the changes of this moment. */
    public boolean inSyncWith(Server primary) {
        return !ended && replication.inSyncWith(primary);
    }

    /** Bytes of the stream of changes that are in its data. */
    public long offset() {
        return replication.offset();
    }

    /** The greatest epoch that it knows of. */
    public long currentEpoch() {
        return table.currentEpoch;
    }

    /** The epoch of its own claims. */
    public long configEpoch() {
        return table.self.configEpoch;
    }

    // The process itself

    void beat() {
        heartbeat.beat();
        table.bans(network.now());
        replication.beat();
        election.beat();
        if (stateDirty || !serving.ok()) {
            updateState();
        }
    }

    private void updateState() {
        stateDirty = false;
        serving.update();
    }

    boolean clusterOk() {
        if (stateDirty) {
            updateState();
        }
        return serving.ok();
    }

    /** Its table says something new, on which its own state may depend. */
    void changed() {
        table.touch();
        stateDirty = true;
    }

    /** Tells everybody about itself in a moment. */
    void broadcast() {
        if (broadcastPlanned) {
            return;
        }
        broadcastPlanned = true;
        network.after(1, () -> {
            broadcastPlanned = false;
            if (!answers()) {
                return;
            }
            for (Peer peer : table.others()) {
                if (peer.linkUp && !peer.handshake) {
                    network.post(this, peer, other -> network.gossip().arriveUnasked(other, this));
                }
            }
        });
    }

    /** Follows {@code primary} from now on. Its own slots, if any, must have gone already. */
    void becomeReplicaOf(Peer primary, boolean otherShard) {
        if (otherShard) {
            table.migrating.clear();
            table.importing.clear();
        }
        table.self.primaryFailed = primary.failed;
        table.makeReplica(table.self, primary);
        replication.follow(primary.ip, otherShard);
        election.forgetElection();
        changed();
        broadcast();
    }

    /** No chains: if the primary has become a replica, its primary is followed. */
    void followTheChain() {
        if (table.self.isPrimary()) {
            return;
        }
        Optional<Peer> next = table.find(table.self.primary)
                .filter(Peer::isReplica)
                .flatMap(middle -> table.find(middle.primary))
                .filter(end -> end != table.self);
        if (next.isPresent()) {
            becomeReplicaOf(next.get(), next.get().shard != table.self.shard);
        }
    }

    /** A new primary keeps no keys of slots that are not its own, and owns those that nobody has. */
    void dropForeignKeys() {
        data.eachSlot(number -> {
            int slot = (int) number;
            if (table.self.slots.contains(slot) || table.importing.containsKey(slot)) {
                return;
            }
            if (table.owner(slot).isEmpty()) {
                table.assign(table.self, SlotSet.of(slot));
            } else {
                data.keysOf(slot).forEach(data::remove);
            }
        });
    }

    boolean pausesWrites(int slot) {
        return election.pausesWrites();
    }

    void end() {
        ended = true;
        data.clear();
    }

    void freeze(boolean still) {
        frozen = still;
    }

    long nodeTimeoutMillis() {
        return nodeTimeoutMillis;
    }

    /** For how long an introduction may take. */
    long handshakeMillis() {
        return Math.max(nodeTimeoutMillis, 1000);
    }

    Table table() {
        return table;
    }

    Dataset data() {
        return data;
    }

    Replication replication() {
        return replication;
    }

    Heartbeat heartbeat() {
        return heartbeat;
    }

    ServingState serving() {
        return serving;
    }

    SlotClaims claims() {
        return claims;
    }

    Election election() {
        return election;
    }

    @Override
    public String toString() {
        return ip + " (" + id().value().substring(0, 8) + ")";
    }
}
