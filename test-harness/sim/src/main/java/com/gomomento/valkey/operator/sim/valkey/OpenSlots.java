package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Slots that move key by key: {@code CLUSTER SETSLOT} and {@code MIGRATE}, as every server can. Replicas learn of each step
 * before the primary takes it.
 */
final class OpenSlots {

    private final ValkeyNetwork network;
    private final Server server;
    private final Table table;

    OpenSlots(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.table = server.table();
    }

    /** What {@code SETSLOT} is to do. */
    enum Step {
        MIGRATING,
        IMPORTING,
        STABLE,
        NODE
    }

    Reply set(Step step, int slot, NodeId id) {
        Optional<Reply> refusal = refusal(step, slot, id);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (!server.replication().replicasFirst(replica -> replica.openSlots().apply(step, slot, id))) {
            return new Reply(Reply.Kind.ERROR, "NOREPLICAS Not enough good replicas to write.", 0);
        }
        apply(step, slot, id);
        return Reply.OK;
    }

    private Optional<Reply> refusal(Step step, int slot, NodeId id) {
        if (table.self.isReplica()) {
            return refuse("Please use SETSLOT only with masters.");
        }
        if (server.migrations().importing()) {
            return refuse("Slot import in progress.");
        }
        if (server.migrations().exporting()) {
            return refuse("Slot export in progress.");
        }
        boolean mine = table.self.slots.contains(slot);
        Optional<Peer> peer = table.find(id);
        return switch (step) {
            case STABLE -> Optional.empty();
            case MIGRATING -> mine ? badTarget(peer, "I don't know about node " + id, true) : refuse(notOwner(slot));
            case IMPORTING ->
                mine
                        ? refuse("I'm already the owner of hash slot " + slot)
                        : badTarget(peer, "I don't know about node " + id, true);
            case NODE -> {
                Optional<Reply> bad = badTarget(peer, "Unknown node " + id, false);
                boolean keysLeft = mine
                        && !id.equals(server.id())
                        && !server.data().keysOf(slot).isEmpty();
                yield bad.isEmpty() && keysLeft
                        ? refuse("Can't assign hashslot " + slot
                                + " to a different node while I still hold keys for this hash slot.")
                        : bad;
            }
        };
    }

    private static String notOwner(int slot) {
        return "I'm not the owner of hash slot " + slot;
    }

    private Optional<Reply> badTarget(Optional<Peer> peer, String unknown, boolean notMyself) {
        if (peer.isEmpty()) {
            return refuse(unknown);
        }
        // Server 8.1 lets a slot be open towards its own node.
        boolean strict = notMyself && server.release().major() >= 9;
        if (strict && peer.get() == table.self) {
            return refuse("Target node is myself");
        }
        return peer.get().isReplica() ? refuse("Target node is not a master") : Optional.empty();
    }

    private static Optional<Reply> refuse(String words) {
        return Optional.of(Reply.error(words));
    }

    /** As a full copy of the primary brings them. */
    void copy(Table primary) {
        table.migrating.clear();
        table.migrating.putAll(primary.migrating);
        table.importing.clear();
        table.importing.putAll(primary.importing);
        table.touch();
    }

    private void apply(Step step, int slot, NodeId id) {
        switch (step) {
            case MIGRATING -> table.migrating.put(slot, id);
            case IMPORTING -> table.importing.put(slot, id);
            case STABLE -> {
                table.migrating.remove(slot);
                table.importing.remove(slot);
            }
            case NODE -> table.find(id).ifPresent(owner -> assign(slot, owner));
        }
        server.changed();
    }

    private void assign(int slot, Peer owner) {
        if (server.data().keysOf(slot).isEmpty()) {
            table.migrating.remove(slot);
        }
        table.assign(owner, SlotSet.of(slot));
        boolean ours = owner == table.self || table.self.follows(owner.id);
        if (ours && table.importing.containsKey(slot)) {
            table.importing.remove(slot);
            if (owner == table.self) {
                server.claims().bump();
                server.roles().broadcast();
            }
        }
    }

    /** {@code MIGRATE}. A server that waits for its own answer gets none. */
    Reply moveKeys(int slot, String targetIp, int most) {
        List<Long> names = server.data().keysOf(slot);
        if (names.isEmpty()) {
            return new Reply(Reply.Kind.OK, "NOKEY", 0);
        }
        Optional<Server> target = network.listener(server, targetIp).filter(other -> other != server);
        if (target.isEmpty()) {
            return new Reply(Reply.Kind.ERROR, "IOERR error or timeout reading to target instance", 0);
        }
        long moved = 0;
        for (long name : names.subList(0, Math.min(most, names.size()))) {
            Optional<Reply> refusal =
                    target.get().openSlots().restore(slot, name, server.data().get(name));
            if (refusal.isPresent()) {
                return Reply.error(
                        "Target instance replied with error: " + refusal.get().text());
            }
            server.replication().change(name, OptionalLong.empty());
            moved++;
        }
        return new Reply(Reply.Kind.OK, "OK", moved);
    }

    private Optional<Reply> restore(int slot, long name, OptionalLong version) {
        if (table.self.isReplica() || (!table.self.slots.contains(slot) && !table.importing.containsKey(slot))) {
            return Optional.of(table.owner(slot)
                    .map(owner -> Reply.moved(slot, owner.ip))
                    .orElse(Reply.down("Hash slot not served")));
        }
        server.replication().change(name, version);
        return Optional.empty();
    }
}
