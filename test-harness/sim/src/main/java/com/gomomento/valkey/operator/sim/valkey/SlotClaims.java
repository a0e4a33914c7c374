package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who owns which slots, in one server's eyes. The rule of the engine: of two that claim a slot, the one with the higher config
 * epoch has it. Whoever loses its last slot to a member of its own shard follows that member.
 */
final class SlotClaims {

    private final ValkeyNetwork network;
    private final Server server;
    private final Table table;

    SlotClaims(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.table = server.table();
    }

    /** What follows from {@code sender}, another node, claiming {@code claimed} with {@code epoch}. */
    void adopt(Peer sender, long epoch, SlotSet claimed) {
        if (sender == table.self) {
            return;
        }
        Peer ours = table.shardPrimary();
        boolean sameShard = sender.shard == table.self.shard;
        SlotSet before = table.self.slots;
        SlotSet oursBefore = ours.slots;
        SlotSet taken = takeable(sender, epoch, claimed);
        if (!taken.isEmpty()) {
            table.assign(sender, taken);
            closeOpen(sender, taken);
            server.changed();
        }
        if (sender.slots.equals(claimed)) {
            // The same instance as its owner's makes the next comparison cheap.
            sender.slots = claimed;
        } else if (!claimed.containsAll(sender.slots)) {
            table.nobodyClaims(sender.slots.minus(claimed));
        }
        finishImports(sender, claimed);
        followMigrationTarget(sender, epoch, claimed);
        boolean lost = oursBefore.intersects(taken);
        boolean succeeded = !lost
                && !table.self.primary.equals(sender.id)
                && claimed.isEmpty()
                && table.self.slots.isEmpty()
                && table.shardPrimary().configEpoch < epoch
                && sameShard;
        if ((lost || succeeded) && ours.slots.isEmpty() && sameShard) {
            server.roles().becomeReplicaOf(sender, false);
        } else if (before.intersects(taken)) {
            server.replication().drop(server.data().keysOf(before.and(taken)));
        }
        if (!taken.isEmpty()) {
            server.migrations().ownershipChanged();
        }
    }

    private SlotSet takeable(Peer sender, long epoch, SlotSet claimed) {
        SlotSet wanted = claimed.minus(sender.slots);
        if (wanted.isEmpty()) {
            return wanted;
        }
        SlotSet refused = defended(table.self, sender, epoch, wanted);
        for (Peer owner : table.others()) {
            refused = refused.plus(defended(owner, sender, epoch, wanted));
        }
        return wanted.minus(refused);
    }

    private SlotSet defended(Peer owner, Peer sender, long epoch, SlotSet wanted) {
        if (owner == sender || owner.configEpoch < epoch || !owner.slots.intersects(wanted)) {
            return SlotSet.EMPTY;
        }
        SlotSet kept = owner.slots.and(wanted).minus(table.unclaimed);
        return owner == table.self ? kept.minus(server.migrations().granted()) : kept;
    }

    /** Open slots whose owner has changed. */
    private void closeOpen(Peer sender, SlotSet taken) {
        if (sender.shard != table.self.shard) {
            table.migrating.keySet().removeIf(taken::contains);
        }
        for (Map.Entry<Integer, NodeId> open : new TreeMap<>(table.importing).entrySet()) {
            NodeId source = open.getValue();
            if (!taken.contains(open.getKey()) || sender.id.equals(source)) {
                continue;
            }
            boolean successor = table.find(source)
                    .filter(peer -> peer.shard == sender.shard)
                    .isPresent();
            if (successor) {
                table.importing.put(open.getKey(), sender.id);
            } else {
                table.importing.remove(open.getKey());
            }
        }
    }

    /** A source that no longer claims a slot which we import from it has handed it over. */
    private void finishImports(Peer sender, SlotSet claimed) {
        if (!table.self.isPrimary() || table.importing.isEmpty()) {
            return;
        }
        List<Integer> handedOver = new ArrayList<>();
        table.importing.forEach((slot, source) -> {
            if (source.equals(sender.id) && !claimed.contains(slot)) {
                handedOver.add(slot);
            }
        });
        for (Integer slot : handedOver) {
            table.importing.remove(slot);
            if (!table.self.slots.contains(slot)) {
                table.assign(table.self, SlotSet.of(slot));
                bump();
            }
        }
    }

    /** The target of a slot that leaves has a successor. */
    private void followMigrationTarget(Peer sender, long epoch, SlotSet claimed) {
        table.migrating.replaceAll((slot, target) -> {
            Optional<Peer> peer = table.find(target);
            boolean replaced = peer.isPresent()
                    && peer.get() != sender
                    && !claimed.contains(slot)
                    && (peer.get().configEpoch < epoch || peer.get().isReplica())
                    && peer.get().shard == sender.shard;
            return replaced ? sender.id : target;
        });
    }

    /** Tells {@code sender} of one newer owner of what it claims, if there is any. */
    void correct(Peer sender, long epoch, SlotSet claimed) {
        Optional<Peer> owner = newerOwner(sender, epoch, claimed);
        if (owner.isPresent()) {
            sendUpdate(sender, owner.get());
        }
    }

    /** Whether somebody else owns one of these slots with a higher epoch. */
    boolean knowsNewerOwner(Peer sender, long epoch, SlotSet claimed) {
        return newerOwner(sender, epoch, claimed).isPresent();
    }

    private Optional<Peer> newerOwner(Peer sender, long epoch, SlotSet claimed) {
        if (newer(table.self, sender, epoch, claimed)) {
            return Optional.of(table.self);
        }
        return table.others().stream()
                .filter(owner -> newer(owner, sender, epoch, claimed))
                .findFirst();
    }

    private boolean newer(Peer owner, Peer sender, long epoch, SlotSet claimed) {
        return owner != sender
                && owner.configEpoch > epoch
                && owner.slots.intersects(claimed)
                && !owner.slots.and(claimed).minus(table.unclaimed).isEmpty();
    }

    /** An UPDATE message to {@code to} about the owner of slots that it believes to be its own. */
    void sendUpdate(Peer to, Peer about) {
        NodeId id = about.id;
        long epoch = about.configEpoch;
        SlotSet slots = about.slots;
        network.post(server, to, other -> other.claims().update(server.id(), id, epoch, slots));
    }

    private void update(NodeId from, NodeId about, long epoch, SlotSet slots) {
        Optional<Peer> known = table.find(about);
        if (!table.knows(from) || known.isEmpty() || known.get().configEpoch >= epoch) {
            return;
        }
        Peer peer = known.get();
        if (peer.isReplica()) {
            table.makePrimary(peer);
        }
        peer.configEpoch = epoch;
        table.touch();
        adopt(peer, epoch, slots);
        server.changed();
    }

    /**
     * A primary says that it follows a member of its shard now, of which this server has not heard yet that it is a primary.
     * From 9.0 on the slots are taken for that member's at once; before, its own claim is waited for.
     */
    void inherit(Peer from, Peer to, long epoch) {
        if (to.isPrimary() || to == table.self) {
            return;
        }
        if (server.release().major() >= 9) {
            if (!from.slots.isEmpty()) {
                table.assign(to, from.slots);
            }
            table.migrating.replaceAll((slot, target) -> target.equals(from.id) ? to.id : target);
            table.importing.replaceAll((slot, source) -> source.equals(from.id) ? to.id : source);
        }
        table.makePrimary(to);
        to.configEpoch = epoch;
    }

    /** Two primaries with one epoch: the one with the smaller id takes the next. */
    void resolveCollision(Peer other) {
        if (other.configEpoch == table.self.configEpoch && other.id.compareTo(server.id()) > 0) {
            table.currentEpoch++;
            table.self.configEpoch = table.currentEpoch;
            server.changed();
            server.roles().broadcast();
        }
    }

    /** A new epoch without asking anybody; false if the own one is the greatest already. */
    boolean bump() {
        if (table.self.configEpoch != 0 && table.self.configEpoch == table.greatestEpoch()) {
            return false;
        }
        table.currentEpoch++;
        table.self.configEpoch = table.currentEpoch;
        server.changed();
        server.roles().broadcast();
        return true;
    }
}
