package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.observe.NodeReport.ReplicaLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * One server's stream of changes, and its link to whom it follows. A replica that has seen a part of the same history goes on
 * from there; any other takes a full copy, which replaces all that it had. Changes reach replicas a moment after the client
 * had its answer: what a primary loses in that moment is lost.
 */
final class Replication {

    /** {@code repl-timeout}: a link on which nothing comes is given up after this. */
    private static final long TIMEOUT_MILLIS = 60_000;

    private static final int BACKLOG_ENTRIES = 2000;
    private static final long ENTRY_BYTES = 64;
    private static final long RETRY_MILLIS = 1000;
    private static final long KEEPALIVE_MILLIS = 10_000;
    private static final long KEEPALIVE_BYTES = 14;
    private static final long NO_HISTORY = 0;
    /** A replica has not been in sync since it began to follow: its server counts the age of its data from the year 1970. */
    private static final long NEVER_UP = Long.MIN_VALUE / 2;

    private final ValkeyNetwork network;
    private final Server server;

    private long history;
    private long olderHistory = NO_HISTORY;
    private long olderUntil = -1;
    private long offset;
    /** Offset before the first entry of the backlog. */
    private long backlogFrom;

    private final Deque<Entry> backlog = new ArrayDeque<>();

    private State state = State.NONE;
    private String host = "";
    private Optional<Server> source = Optional.empty();
    private long attempt;
    private long retryAt;
    private long heardAt;
    private long downSince = NEVER_UP;
    private boolean deliveryPlanned;
    private long keepaliveAt;

    private enum State {
        /** Follows nobody. */
        NONE,
        /** Not connected, or the primary has not agreed to anything yet. */
        CONNECTING,
        /** A full copy is under way. */
        SYNCING,
        /** The stream flows. */
        UP
    }

    /** A change, and what it does to the server that takes it. */
    private record Entry(long offsetAfter, Consumer<Server> effect) {}

    Replication(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.history = network.dice().next() | 1;
    }

    long offset() {
        return offset;
    }

    boolean up() {
        return state == State.UP;
    }

    /** Whether it has taken all data of {@code primary} once and gets its changes. */
    boolean inSyncWith(Server primary) {
        return state == State.UP && source.filter(other -> other == primary).isPresent();
    }

    ReplicaLink link() {
        return new ReplicaLink(state == State.UP, state == State.SYNCING, host);
    }

    /** For how long no change can have reached it, in ms. */
    long dataAgeMillis() {
        return network.now() - (state == State.UP ? heardAt : downSince);
    }

    // The primary's side

    /** A change of a key, or its end, told to replicas a moment later. */
    void change(long name, OptionalLong version) {
        apply(new Entry(offset + ENTRY_BYTES, to -> set(to.data(), name, version)));
        network.replicasOf(server).forEach(replica -> replica.replication().planDelivery());
    }

    private static void set(Dataset data, long name, OptionalLong version) {
        if (version.isPresent()) {
            data.put(name, version.getAsLong());
        } else {
            data.remove(name);
        }
    }

    /**
     * Has all replicas that are in sync do something before this server does it.
     *
     * @return whether all have; those that hang will still do it when they go on
     */
    boolean replicasFirst(Consumer<Server> effect) {
        append(new Entry(offset + ENTRY_BYTES, effect));
        boolean all = true;
        for (Server replica : network.replicasOf(server)) {
            if (replica.inSyncWith(server)) {
                replica.replication().deliver();
                all &= replica.offset() == offset;
            }
        }
        return all;
    }

    /** Deletes keys, here and on replicas. */
    void drop(List<Long> names) {
        names.forEach(name -> change(name, OptionalLong.empty()));
    }

    private void apply(Entry entry) {
        entry.effect().accept(server);
        append(entry);
    }

    private void append(Entry entry) {
        offset = entry.offsetAfter();
        backlog.addLast(entry);
        if (backlog.size() > BACKLOG_ENTRIES) {
            backlogFrom = backlog.removeFirst().offsetAfter();
        }
    }

    private List<Entry> since(long from) {
        List<Entry> entries = new ArrayList<>();
        Iterator<Entry> latest = backlog.descendingIterator();
        while (latest.hasNext()) {
            Entry entry = latest.next();
            if (entry.offsetAfter() <= from) {
                break;
            }
            entries.addFirst(entry);
        }
        return entries;
    }

    private boolean canContinue(Replication replica) {
        boolean same = replica.history == history && replica.offset <= offset;
        boolean older = replica.history == olderHistory && replica.offset <= olderUntil;
        return replica.history != NO_HISTORY && (same || older) && replica.offset >= backlogFrom;
    }

    // The replica's side

    /** Follows whoever answers at {@code ip}. */
    void follow(String ip, boolean fullCopy) {
        host = ip;
        disconnect();
        if (fullCopy) {
            history = NO_HISTORY;
        }
        boolean atOnce = server.release().compareTo(ValkeyNetwork.V9_1) >= 0;
        retryAt = network.now() + (atOnce ? 0 : network.dice().below((int) RETRY_MILLIS));
    }

    /** The link is gone; it is made anew when that can be. */
    void disconnect() {
        if (state == State.UP) {
            downSince = network.now();
        }
        attempt++;
        state = State.CONNECTING;
        source = Optional.empty();
        retryAt = network.now() + network.dice().below((int) RETRY_MILLIS);
    }

    /** Follows nobody from now on, with the data that is here. */
    void becomePrimary() {
        attempt++;
        state = State.NONE;
        downSince = NEVER_UP;
        source = Optional.empty();
        olderHistory = history;
        olderUntil = offset;
        history = network.dice().next() | 1;
    }

    /** Whether its bytes come from {@code other}. */
    boolean isFrom(Server other) {
        return source.filter(server -> server == other).isPresent();
    }

    /** One round. */
    void beat() {
        long now = network.now();
        switch (state) {
            case NONE -> keepAlive(now);
            case CONNECTING -> connect(now);
            case SYNCING, UP -> listen(now);
        }
    }

    private void keepAlive(long now) {
        if (now >= keepaliveAt) {
            keepaliveAt = now + KEEPALIVE_MILLIS;
            boolean heard = network.replicasOf(server).stream()
                    .anyMatch(replica -> replica.replication().inSyncWith(server));
            offset += heard ? KEEPALIVE_BYTES : 0;
        }
    }

    private void connect(long now) {
        Optional<Server> other = network.listener(server, host);
        if (now < retryAt || other.isEmpty() || other.get() == server) {
            return;
        }
        Replication primary = other.get().replication();
        boolean ready = primary.state == State.NONE || primary.state == State.UP;
        if (!ready) {
            retryAt = now + RETRY_MILLIS;
            return;
        }
        source = other;
        heardAt = now;
        attempt++;
        long mine = attempt;
        if (primary.canContinue(this)) {
            network.after(network.dice().between(1, 3), () -> finish(mine, false));
        } else {
            network.after(network.dice().between(1, 20), () -> beginCopy(mine));
        }
        retryAt = now + TIMEOUT_MILLIS;
    }

    private void beginCopy(long mine) {
        if (mine == attempt && source.isPresent() && network.reaches(server, source.get())) {
            state = State.SYNCING;
            network.after(network.fullCopyMillis(source.get().data().size()), () -> finish(mine, true));
        }
    }

    private void finish(long mine, boolean copied) {
        if (mine != attempt || source.isEmpty()) {
            return;
        }
        Server primary = source.get();
        if (!network.reaches(server, primary)) {
            disconnect();
            return;
        }
        Replication theirs = primary.replication();
        if (copied) {
            server.data().copy(primary.data());
            server.openSlots().copy(primary.table());
            server.migrations().forgetAll();
            offset = theirs.offset;
            backlog.clear();
            backlogFrom = offset;
            network.replicasOf(server).forEach(replica -> replica.replication().disconnect());
        } else if (!theirs.canContinue(this)) {
            disconnect();
            return;
        }
        history = theirs.history;
        olderHistory = NO_HISTORY;
        state = State.UP;
        heardAt = network.now();
        deliver();
    }

    private void listen(long now) {
        boolean reachable = source.isPresent() && network.reaches(server, source.get());
        if (!reachable) {
            if (now - heardAt > TIMEOUT_MILLIS) {
                disconnect();
            }
            return;
        }
        heardAt = now;
        if (state == State.UP && offset != source.get().offset()) {
            deliver();
        }
    }

    private void planDelivery() {
        if (!deliveryPlanned) {
            deliveryPlanned = true;
            network.after(network.dice().between(1, 3), () -> {
                deliveryPlanned = false;
                deliver();
            });
        }
    }

    /** Takes what the primary has changed since. */
    void deliver() {
        if (state != State.UP || source.isEmpty() || !network.reaches(server, source.get())) {
            return;
        }
        Replication theirs = source.get().replication();
        if (offset < theirs.backlogFrom || offset > theirs.offset) {
            disconnect();
            return;
        }
        theirs.since(offset).forEach(this::apply);
        offset = theirs.offset;
        server.election().proceedManual();
        network.replicasOf(server).forEach(replica -> replica.replication().planDelivery());
    }
}
