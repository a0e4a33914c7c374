package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import com.gomomento.valkey.operator.sim.valkey.MigrationEnd.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Atomic slot migrations of which one server is or was an end, the latest first. Server 9.0 and later. */
final class SlotMigrations {

    /** {@code cluster-slot-migration-log-max-len}. */
    private static final int MOST_ENDED = 1000;

    private final ValkeyNetwork network;
    private final Server server;
    private final Table table;
    private final List<SlotMigrationJob> jobs = new ArrayList<>();
    private final List<MigrationEnd> ends = new ArrayList<>();

    SlotMigrations(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.table = server.table();
    }

    Reply migrate(SlotSet slots, NodeId target) {
        Optional<String> refusal = refusal(slots, target);
        if (refusal.isPresent()) {
            return Reply.error(refusal.get());
        }
        MigrationEnd end = new MigrationEnd(true, slots, server.id(), target, State.CONNECTING);
        add(end);
        SlotMigrationJob job = new SlotMigrationJob(network, server, end);
        jobs.add(job);
        job.begin();
        return Reply.OK;
    }

    private Optional<String> refusal(SlotSet slots, NodeId target) {
        if (server.release().major() < 9) {
            return Optional.of("unknown subcommand 'MIGRATESLOTS'. Try CLUSTER HELP.");
        }
        if (table.self.isReplica()) {
            return Optional.of("Slot migration can only be used on primary nodes.");
        }
        if (!table.importing.isEmpty()) {
            return Optional.of("Slots are being manually imported");
        }
        if (!table.migrating.isEmpty()) {
            return Optional.of("Slots are being manually migrated");
        }
        if (slots.isEmpty()) {
            return Optional.of("No slot ranges specified");
        }
        if (!table.self.slots.containsAll(slots)) {
            return Optional.of(notMine(slots));
        }
        for (MigrationEnd end : ends) {
            if (end.active() && end.outgoing && end.slots.intersects(slots)) {
                int slot = end.slots.and(slots).ranges().getFirst().first();
                return Optional.of("I am already migrating slot " + slot + ".");
            }
        }
        if (target.equals(server.id())) {
            return Optional.of("Target node can not be this node.");
        }
        return table.knows(target) ? Optional.empty() : Optional.of("Unknown node name: " + target);
    }

    /** Why these slots can't go, of which some are not this server's own. */
    private String notMine(SlotSet slots) {
        Optional<Peer> first = Optional.empty();
        for (SlotRange range : slots.ranges()) {
            for (int slot = range.first(); slot <= range.last(); slot++) {
                Optional<Peer> owner = table.owner(slot);
                if (owner.isEmpty()) {
                    return "Slot " + slot + " has no node served.";
                }
                if (first.isPresent() && !first.equals(owner)) {
                    return "Requested slots span multiple shards";
                }
                first = owner;
            }
        }
        return "Slots are not served by this node.";
    }

    Reply cancel() {
        if (!exporting()) {
            return Reply.error("No migrations ongoing");
        }
        ends.stream().filter(end -> end.outgoing).forEach(end -> end.finish(State.CANCELLED, ""));
        return Reply.OK;
    }

    /** Whether this server agrees to be the target; why not, if it does not. */
    Optional<String> objection(MigrationEnd wanted) {
        if (server.release().major() < 9) {
            return Optional.of("ERR unknown subcommand 'SYNCSLOTS'. Try CLUSTER HELP.");
        }
        if (table.self.isReplica()) {
            return Optional.of("ERR Slot migration can only be used on primary nodes.");
        }
        if (!table.importing.isEmpty()) {
            return Optional.of("ERR Slots are being manually imported");
        }
        if (!table.migrating.isEmpty()) {
            return Optional.of("ERR Slots are being manually migrated");
        }
        Optional<Peer> source = table.find(wanted.source);
        if (source.isEmpty()) {
            return Optional.of("ERR Target node does not know the source node");
        }
        return source.get().slots.containsAll(wanted.slots)
                ? Optional.empty()
                : Optional.of("ERR Target node does not agree about current slot ownership");
    }

    MigrationEnd accept(SlotMigrationJob job, MigrationEnd wanted) {
        jobs.add(job);
        MigrationEnd end = new MigrationEnd(false, wanted.slots, wanted.source, wanted.target, State.RECEIVING);
        add(end);
        return end;
    }

    private void add(MigrationEnd end) {
        ends.addFirst(end);
        if (ends.size() > MOST_ENDED) {
            ends.removeLast();
        }
    }

    void beat() {
        if (!jobs.isEmpty()) {
            jobs.removeIf(SlotMigrationJob::isOver);
            List.copyOf(jobs).forEach(SlotMigrationJob::check);
        }
    }

    /** A full copy of a primary replaces the log, too. */
    void forgetAll() {
        ends.clear();
    }

    void ended() {
        jobs.forEach(job -> job.ended(server));
    }

    boolean exporting() {
        return ends.stream().anyMatch(end -> end.outgoing && end.active());
    }

    boolean importing() {
        return ends.stream().anyMatch(end -> !end.outgoing && end.active());
    }

    boolean pausesWrites() {
        for (MigrationEnd end : ends) {
            if (end.active() && network.now() < end.pausedUntil) {
                return true;
            }
        }
        return false;
    }

    /** Slots that a target may take whatever its epoch, since it was told to. */
    SlotSet granted() {
        SlotSet granted = SlotSet.EMPTY;
        for (MigrationEnd end : ends) {
            if (end.outgoing && end.state == State.GRANTED) {
                granted = granted.plus(end.slots);
            }
        }
        return granted;
    }

    /** Roles or owners have changed: some migrations have reached their end by that, others have lost their ground. */
    void ownershipChanged() {
        for (MigrationEnd end : ends) {
            if (!end.active()) {
                continue;
            }
            if (end.outgoing) {
                checkExport(end);
            } else if (table.self.isReplica()) {
                end.finish(State.FAILED, "Slot import was interrupted by a failover");
            } else {
                checkImport(end);
            }
        }
    }

    private void checkExport(MigrationEnd end) {
        boolean arrived = table.find(end.target)
                .filter(peer -> peer.slots.containsAll(end.slots))
                .isPresent();
        if (arrived) {
            end.finish(State.SUCCESS, "");
        } else if (!table.self.slots.containsAll(end.slots)) {
            end.finish(State.FAILED, "Slots are no longer owned by myself");
        }
    }

    private void checkImport(MigrationEnd end) {
        boolean still = table.find(end.source)
                .filter(peer -> peer.slots.containsAll(end.slots))
                .isPresent();
        if (!still) {
            end.finish(State.FAILED, "Slots are no longer owned by source node");
            server.replication().drop(server.data().keysOf(end.slots.minus(table.self.slots)));
        }
    }

    /**
     * The entries that name both their ends. A replica prints more, of what its primary takes part in, but no adapter reads
     * those.
     */
    List<SlotMigration> told() {
        return ends.isEmpty()
                ? List.of()
                : ends.stream().map(MigrationEnd::told).toList();
    }
}
