package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.sim.valkey.MigrationEnd.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One atomic slot migration: the source connects to the target, sends the slots' keys and then their changes, holds back its
 * clients' writes once the target has nearly everything, and lets it take the slots over. Until the target has taken them the
 * source owns them, so whatever ends the migration early leaves slots and keys where they were.
 */
final class SlotMigrationJob {

    /** {@code repl-timeout}: silence of the other end after which each one gives up. */
    private static final long TIMEOUT_MILLIS = 60_000;

    /** Twice {@code cluster-manual-failover-timeout}. */
    private static final long PAUSE_MILLIS = 10_000;

    private final ValkeyNetwork network;
    private final Server source;
    private final MigrationEnd outgoing;
    private Optional<Server> target = Optional.empty();
    private Optional<MigrationEnd> incoming = Optional.empty();
    private Runnable next = this::connect;
    private long heardAt;
    private boolean planned;

    SlotMigrationJob(ValkeyNetwork network, Server source, MigrationEnd outgoing) {
        this.network = network;
        this.source = source;
        this.outgoing = outgoing;
        this.heardAt = network.now();
    }

    void begin() {
        plan(network.dice().between(1, 5), this::connect);
    }

    boolean isOver() {
        return !outgoing.active() && incoming.filter(MigrationEnd::active).isEmpty();
    }

    private void plan(long delayMillis, Runnable step) {
        next = step;
        planned = true;
        network.after(delayMillis, () -> {
            planned = false;
            go();
        });
    }

    /** The next step, once both ends can take it. */
    private void go() {
        if (!outgoing.active() || !source.answers()) {
            return;
        }
        boolean ready = target.isEmpty() || network.reaches(source, target.get());
        if (ready) {
            heardAt = network.now();
            next.run();
        }
    }

    /** One round of either end: notices what has happened to the other one. */
    void check() {
        if (source.answers() && outgoing.active()) {
            checkSource();
        }
        if (!outgoing.active()) {
            hangUp();
        } else if (!planned) {
            go();
        }
    }

    private void checkSource() {
        boolean granted = outgoing.state == State.GRANTED;
        boolean lost = target.filter(Server::hasEnded).isPresent()
                || incoming.filter(end -> !end.active()).isPresent();
        if (!granted && lost) {
            outgoing.finish(
                    State.FAILED,
                    "Connection lost to target. Check CLUSTER GETSLOTMIGRATIONS on the target node for more"
                            + " information.");
        } else if (!granted && network.now() - heardAt > TIMEOUT_MILLIS) {
            outgoing.finish(State.FAILED, "Timed out after too long with no interaction");
        } else if (outgoing.pausedUntil != Peer.NEVER && network.now() > outgoing.pausedUntil) {
            outgoing.finish(
                    State.FAILED,
                    granted
                            ? "Unpaused before migration completed (migration may have succeeded with lost writes)"
                            : "Timed out before streaming completed");
        }
    }

    /** The target hears that the connection is gone, at once or after the timeout. */
    private void hangUp() {
        if (target.isEmpty() || incoming.isEmpty() || !incoming.get().active()) {
            return;
        }
        Server other = target.get();
        boolean hears = other.answers()
                && (network.reaches(source, other) || source.hasEnded() || network.now() - heardAt > TIMEOUT_MILLIS);
        if (hears) {
            giveUpImport(other, incoming.get());
        }
    }

    /** The process of one end is gone. */
    void ended(Server end) {
        if (end == source) {
            outgoing.finish(State.FAILED, "");
            hangUp();
        } else {
            incoming.ifPresent(entry -> entry.finish(State.FAILED, ""));
        }
    }

    private static void giveUpImport(Server server, MigrationEnd end) {
        end.finish(
                State.FAILED,
                "Connection lost to source. Check CLUSTER GETSLOTMIGRATIONS on the source node for more information.");
        if (server.table().self.isPrimary()) {
            server.replication().drop(server.data().keysOf(end.slots.minus(server.table().self.slots)));
        }
    }

    private void connect() {
        Optional<Peer> peer = source.table().find(outgoing.target);
        Optional<Server> listener = peer.flatMap(found -> network.at(found.ip));
        if (peer.isEmpty() || listener.isEmpty()) {
            String why = peer.isEmpty() ? "target node not found" : "Connection refused";
            outgoing.finish(State.FAILED, "Unable to connect to target node: " + why);
            return;
        }
        target = listener;
        outgoing.state = State.ESTABLISHING;
        plan(network.dice().between(1, 5), this::establish);
    }

    private void establish() {
        Server other = target.orElseThrow();
        Optional<String> objection = other.migrations().objection(outgoing);
        if (objection.isPresent()) {
            outgoing.finish(State.FAILED, "Received error during handshake to target: " + objection.get());
            return;
        }
        incoming = Optional.of(other.migrations().accept(this, outgoing));
        outgoing.state = State.SNAPSHOTTING;
        long keys = source.data().keysOf(outgoing.slots).size();
        plan(network.fullCopyMillis((int) keys), this::sendKeys);
    }

    private void sendKeys() {
        copyKeys();
        incoming.orElseThrow().state = State.WAITING_FOR_PAUSED;
        plan(network.dice().between(1, 5), this::pause);
    }

    private void pause() {
        outgoing.state = State.PAUSED;
        outgoing.pausedUntil = network.now() + PAUSE_MILLIS;
        plan(network.dice().between(5, 250), this::grant);
    }

    private void grant() {
        outgoing.state = State.GRANTED;
        // Everything that was acknowledged before the pause has arrived when the target reads the grant.
        copyKeys();
        plan(network.dice().between(1, 5), this::takeOver);
    }

    private void takeOver() {
        Server other = target.orElseThrow();
        MigrationEnd end = incoming.orElseThrow();
        if (!end.active() || other.table().self.isReplica()) {
            return;
        }
        other.claims().bump();
        other.table().assign(other.table().self, end.slots);
        other.changed();
        other.roles().broadcast();
        end.finish(State.SUCCESS, "");
    }

    /** Brings the target's keys of these slots to where the source's are. */
    private void copyKeys() {
        Server other = target.orElseThrow();
        List<Long> there = new ArrayList<>(other.data().keysOf(outgoing.slots));
        for (long name : source.data().keysOf(outgoing.slots)) {
            OptionalLong version = source.data().get(name);
            if (!version.equals(other.data().get(name))) {
                other.replication().change(name, version);
            }
            there.remove(name);
        }
        other.replication().drop(there);
    }
}
