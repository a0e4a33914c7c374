package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.Optional;

/** What a change of one server's own role brings with it, and how it lets others know. */
final class Roles {

    private final ValkeyNetwork network;
    private final Server server;
    private final Table table;
    private boolean broadcastPlanned;

    Roles(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.table = server.table();
    }

    /** Tells everybody about itself in a moment. */
    void broadcast() {
        if (broadcastPlanned) {
            return;
        }
        broadcastPlanned = true;
        network.after(1, () -> {
            broadcastPlanned = false;
            if (!server.answers()) {
                return;
            }
            for (Peer peer : table.others()) {
                if (peer.linkUp && !peer.handshake) {
                    network.post(server, peer, other -> network.gossip().arriveUnasked(other, server));
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
        server.replication().follow(primary.ip, otherShard);
        server.migrations().ownershipChanged();
        server.election().forgetElection();
        server.changed();
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
        server.data().eachSlot(slot -> {
            if (table.self.slots.contains(slot) || table.importing.containsKey(slot)) {
                return;
            }
            if (table.owner(slot).isEmpty()) {
                table.assign(table.self, SlotSet.of(slot));
            } else {
                server.replication().drop(server.data().keysOf(slot));
            }
        });
    }
}
