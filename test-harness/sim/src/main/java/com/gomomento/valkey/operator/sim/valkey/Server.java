package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private final Roles roles;
    private final SlotMigrations migrations;
    private final OpenSlots openSlots;
    private final ClusterCommands commands;
    private final ClientPort clients;

    private Configuration configuration = new Configuration(new TreeMap<>());
    private Optional<SecretText> operatorPassword = Optional.empty();
    private boolean ended;
    private boolean frozen;
    private long stoppedAt = Peer.NEVER;
    private boolean stateDirty = true;
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
        this.roles = new Roles(network, this);
        this.migrations = new SlotMigrations(network, this);
        this.openSlots = new OpenSlots(network, this);
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

    /** Whether the process answered within the last {@code millis}. */
    public boolean answeredWithin(long millis) {
        return answers() || network.now() - stoppedAt <= millis;
    }

    /** Whether the process stands still. */
    public boolean isFrozen() {
        return frozen;
    }

    // With what it runs

    /** Tells it what it is started with, by name. */
    public void configure(SortedMap<String, String> directives) {
        configuration = new Configuration(directives);
    }

    /** Directives that it runs with, by name. */
    public SortedMap<String, String> directives() {
        return Check.sortedCopy(configuration.values());
    }

    /** {@code CONFIG SET}: all of them or none. */
    public Reply configSet(SortedMap<String, String> changes) {
        return answers() ? configuration.set(changes) : Reply.SILENCE;
    }

    // What an administrator reads

    /**
     * Its answers to {@code MYID}, {@code CLUSTER NODES}, {@code CLUSTER INFO}, {@code INFO} and {@code GETSLOTMIGRATIONS},
     * all of one moment. Ask only a process that {@link #answers}.
     */
    public NodeReport.Reachable report() {
        return report(Set.of());
    }

    /** As above, and how it tells these directives. */
    public NodeReport.Reachable report(Set<String> asked) {
        SortedMap<String, String> told = new TreeMap<>();
        asked.forEach(name ->
                Optional.ofNullable(configuration.values().get(name)).ifPresent(value -> told.put(name, value)));
        return new NodeReport.Reachable(
                id(),
                release.toString(),
                table.self.role,
                table.self.isReplica() ? Optional.of(replication.link()) : Optional.empty(),
                new ReplicationOffset(replication.offset()),
                clusterOk(),
                table.currentEpoch,
                view(),
                migrations.told(),
                new NodeReport.MemoryUse(data.size() * BYTES_PER_KEY, MAX_BYTES),
                told);
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

    /** {@code CLUSTER MIGRATESLOTS}, 9.0 and later: OK says only that it was begun. */
    public Reply migrateSlots(SlotSet slots, NodeId target) {
        return answer(() -> migrations.migrate(slots, target));
    }

    /** {@code CLUSTER CANCELSLOTMIGRATIONS}. */
    public Reply cancelSlotMigrations() {
        return answer(migrations::cancel);
    }

    /** {@code CLUSTER SETSLOT slot MIGRATING}. */
    public Reply setSlotMigrating(int slot, NodeId target) {
        return answer(() -> openSlots.set(OpenSlots.Step.MIGRATING, slot, target));
    }

    /** {@code CLUSTER SETSLOT slot IMPORTING}. */
    public Reply setSlotImporting(int slot, NodeId source) {
        return answer(() -> openSlots.set(OpenSlots.Step.IMPORTING, slot, source));
    }

    /** {@code CLUSTER SETSLOT slot STABLE}. */
    public Reply setSlotStable(int slot) {
        return answer(() -> openSlots.set(OpenSlots.Step.STABLE, slot, Peer.NOBODY));
    }

    /** {@code CLUSTER SETSLOT slot NODE}. */
    public Reply setSlotNode(int slot, NodeId owner) {
        return answer(() -> openSlots.set(OpenSlots.Step.NODE, slot, owner));
    }

    /**
     * {@code GETKEYSINSLOT} and {@code MIGRATE}: moves up to {@code most} keys of a slot to the node at an address, which
     * must import it.
     *
     * @return OK with the number of keys that went as its version; {@code NOKEY} if there was none
     */
    public Reply moveKeys(int slot, String targetIp, int most) {
        return answer(() -> openSlots.moveKeys(slot, targetIp, most));
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

    /** From now on only who has this password is let in as the operator; a server that was never told one lets everybody in. */
    public void requirePassword(SecretText password) {
        operatorPassword = Optional.of(password);
    }

    /** Whether somebody with this password is let in as the operator. */
    public boolean admits(SecretText password) {
        return operatorPassword.map(password::equals).orElse(true);
    }

    /** Slots for which it takes writes now; empty if the process is gone, stands still, is a replica or holds back. */
    public SlotSet serves() {
        return answers() && clusterOk() && table.self.isPrimary() ? table.self.slots : SlotSet.EMPTY;
    }

    /** Slots that it holds to be its own, whether it serves them now or not; none of a replica. */
    public SlotSet ownSlots() {
        return table.self.isPrimary() ? table.self.slots : SlotSet.EMPTY;
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
        migrations.beat();
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

    boolean pausesWrites() {
        return election.pausesWrites() || migrations.pausesWrites();
    }

    void end() {
        stop();
        ended = true;
        migrations.ended();
        data.clear();
    }

    private void stop() {
        if (answers()) {
            stoppedAt = network.now();
        }
    }

    void freeze(boolean still) {
        stop();
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

    Roles roles() {
        return roles;
    }

    SlotMigrations migrations() {
        return migrations;
    }

    OpenSlots openSlots() {
        return openSlots;
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
