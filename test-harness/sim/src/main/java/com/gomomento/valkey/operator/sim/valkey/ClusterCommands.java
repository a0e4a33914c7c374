package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.List;
import java.util.Optional;

/** The {@code CLUSTER} commands that change who belongs to the cluster and who owns what, as one server carries them out. */
final class ClusterCommands {

    /** {@code cluster-blacklist-ttl}. */
    private static final long BAN_MILLIS = 60_000;

    private final ValkeyNetwork network;
    private final Server server;
    private final Table table;

    ClusterCommands(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.table = server.table();
    }

    Reply meet(String ip) {
        boolean underway = table.others().stream().anyMatch(peer -> peer.handshake && peer.ip.equals(ip));
        if (!underway) {
            Peer guest = new Peer(network.newId(), ip, network.now());
            guest.shard = network.newShard();
            guest.handshake = true;
            guest.meet = true;
            table.add(guest);
        }
        return Reply.OK;
    }

    Reply addSlots(SlotSet slots) {
        SlotSet busy = slots.and(table.self.slots);
        for (Peer peer : table.others()) {
            busy = busy.plus(slots.and(peer.slots));
        }
        if (!busy.isEmpty()) {
            return Reply.error("Slot " + busy.ranges().getFirst().first() + " is already busy");
        }
        table.importing.keySet().removeIf(slots::contains);
        table.assign(table.self, slots);
        server.changed();
        return Reply.OK;
    }

    Reply setConfigEpoch(long epoch) {
        if (epoch < 0) {
            return Reply.error("Invalid config epoch specified: " + epoch);
        }
        if (table.size() > 1) {
            return Reply.error("The user can assign a config epoch only when the node does not know any other node.");
        }
        if (table.self.configEpoch != 0) {
            return Reply.error("Node config epoch is already non-zero");
        }
        table.self.configEpoch = epoch;
        table.currentEpoch = Math.max(table.currentEpoch, epoch);
        server.changed();
        return Reply.OK;
    }

    Reply bumpEpoch() {
        String word = server.claims().bump() ? "BUMPED " : "STILL ";
        return new Reply(Reply.Kind.OK, word + table.self.configEpoch, 0);
    }

    Reply replicate(NodeId id) {
        Optional<Peer> found = table.find(id);
        if (found.isEmpty()) {
            return Reply.error("Unknown node " + id);
        }
        Peer primary = found.get();
        if (primary == table.self) {
            return Reply.error("Can't replicate myself");
        }
        if (primary.isReplica()) {
            return Reply.error("I can only replicate a master, not a replica.");
        }
        if (table.self.isPrimary()
                && (!table.self.slots.isEmpty() || !server.data().isEmpty())) {
            return Reply.error("To set a master the node must be empty and without assigned slots.");
        }
        if (!table.self.follows(id)) {
            server.roles().becomeReplicaOf(primary, true);
            server.roles().broadcast();
        }
        return Reply.OK;
    }

    Reply forget(NodeId id) {
        Optional<Peer> found = table.find(id);
        if (found.isEmpty()) {
            return table.isBanned(id, network.now()) ? Reply.OK : Reply.error("Unknown node " + id);
        }
        if (found.get() == table.self) {
            return Reply.error("I tried hard but I can't forget myself...");
        }
        if (table.self.follows(id)) {
            return Reply.error("Can't forget my master!");
        }
        table.ban(id, network.now() + BAN_MILLIS);
        table.remove(found.get());
        server.changed();
        return Reply.OK;
    }

    Reply reset(boolean hard) {
        if (table.self.isPrimary() && !server.data().isEmpty()) {
            return Reply.error("CLUSTER RESET can't be called with master nodes containing keys");
        }
        table.migrating.clear();
        table.importing.clear();
        server.election().resetManual();
        for (Peer peer : List.copyOf(table.others())) {
            table.remove(peer);
        }
        table.self.slots = SlotSet.EMPTY;
        table.self.shard = network.newShard();
        table.clearBans();
        if (hard) {
            table.currentEpoch = 0;
            table.lastVoteEpoch = 0;
            table.self.configEpoch = 0;
            table.renameSelf(network.newId());
        }
        if (table.self.isReplica()) {
            table.makePrimary(table.self);
            server.replication().becomePrimary();
            server.data().clear();
        }
        server.changed();
        return Reply.OK;
    }
}
