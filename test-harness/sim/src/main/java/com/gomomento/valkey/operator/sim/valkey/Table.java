package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All that one server believes of the cluster. No slot has two owners in it. {@link #version()} grows with whatever others
 * could learn from this table.
 */
final class Table {

    final Peer self;
    long currentEpoch;
    long lastVoteEpoch;

    /** Slots whose owner no longer claims them; anybody may, whatever its epoch. */
    SlotSet unclaimed = SlotSet.EMPTY;

    /** Slots that leave key by key, and where to. */
    final TreeMap<Integer, NodeId> migrating = new TreeMap<>();
    /** Slots that come in key by key, and where from. */
    final TreeMap<Integer, NodeId> importing = new TreeMap<>();

    private final Map<NodeId, Peer> byId = new HashMap<>();
    private List<Peer> others = List.of();
    private final Map<NodeId, Long> bannedUntil = new TreeMap<>();
    private long version;
    private long countedAt = -1;
    private int voters;
    private int reachableVoters;

    Table(Peer self) {
        this.self = self;
        byId.put(self.id, self);
    }

    /** Something in it has changed. */
    void touch() {
        version++;
    }

    long version() {
        return version;
    }

    Optional<Peer> find(NodeId id) {
        return Optional.ofNullable(byId.get(id));
    }

    boolean knows(NodeId id) {
        return byId.containsKey(id);
    }

    /** All but the own entry, in the order in which they were met. Safe to walk while entries come and go. */
    List<Peer> others() {
        return others;
    }

    int size() {
        return byId.size();
    }

    void add(Peer peer) {
        byId.put(peer.id, peer);
        List<Peer> more = new ArrayList<>(others);
        more.add(peer);
        others = more;
        touch();
    }

    /** A handshake has told who is there. */
    void rename(Peer peer, NodeId id) {
        byId.remove(peer.id);
        peer.id = id;
        byId.put(id, peer);
        touch();
    }

    void remove(Peer peer) {
        byId.remove(peer.id);
        List<Peer> fewer = new ArrayList<>(others);
        fewer.remove(peer);
        others = fewer;
        migrating.values().removeIf(peer.id::equals);
        importing.values().removeIf(peer.id::equals);
        for (Peer other : others) {
            other.reports.remove(peer.id);
            orphan(other, peer.id);
        }
        orphan(self, peer.id);
        unclaimed = unclaimed.minus(peer.slots);
        touch();
    }

    private static void orphan(Peer replica, NodeId primary) {
        if (replica.primary.equals(primary)) {
            replica.primary = Peer.NOBODY;
        }
    }

    /** A new identity for oneself ({@code RESET HARD}). */
    void renameSelf(NodeId id) {
        byId.remove(self.id);
        self.id = id;
        byId.put(id, self);
        touch();
    }

    /** Whose slots the own shard serves: the own entry of a primary, its primary's of a replica. */
    Peer shardPrimary() {
        return self.isPrimary() ? self : find(self.primary).orElse(self);
    }

    /** The epoch under which a node's slots are held: its primary's, if it is a replica. */
    long epochOf(Peer peer) {
        return peer.isPrimary()
                ? peer.configEpoch
                : find(peer.primary).map(primary -> primary.configEpoch).orElse(peer.configEpoch);
    }

    Optional<Peer> owner(int slot) {
        if (self.slots.contains(slot)) {
            return Optional.of(self);
        }
        for (Peer peer : others) {
            if (peer.slots.contains(slot)) {
                return Optional.of(peer);
            }
        }
        return Optional.empty();
    }

    /** Gives slots to a node, whoever had them. */
    void assign(Peer to, SlotSet slots) {
        if (self != to && self.slots.intersects(slots)) {
            self.slots = self.slots.minus(slots);
        }
        for (Peer peer : others) {
            if (peer != to && peer.slots.intersects(slots)) {
                peer.slots = peer.slots.minus(slots);
            }
        }
        to.slots = to.slots.isEmpty() ? slots : to.slots.plus(slots);
        unclaimed = unclaimed.minus(slots);
        touch();
    }

    /** Their owner has them still, but says so no more. */
    void nobodyClaims(SlotSet slots) {
        if (!unclaimed.containsAll(slots)) {
            unclaimed = unclaimed.plus(slots);
            touch();
        }
    }

    void makePrimary(Peer peer) {
        peer.role = Role.PRIMARY;
        peer.primary = Peer.NOBODY;
        touch();
    }

    void makeReplica(Peer peer, Peer primary) {
        peer.role = Role.REPLICA;
        peer.primary = primary.id;
        peer.shard = primary.shard;
        touch();
    }

    long greatestEpoch() {
        long greatest = Math.max(currentEpoch, self.configEpoch);
        for (Peer peer : others) {
            greatest = Math.max(greatest, peer.configEpoch);
        }
        return greatest;
    }

    void ban(NodeId id, long untilMillis) {
        bannedUntil.put(id, untilMillis);
        touch();
    }

    boolean isBanned(NodeId id, long nowMillis) {
        Long until = bannedUntil.get(id);
        return until != null && nowMillis < until;
    }

    /** Who was forgotten, and until when; ended bans are dropped. */
    Map<NodeId, Long> bans(long nowMillis) {
        if (!bannedUntil.isEmpty() && bannedUntil.values().removeIf(until -> until <= nowMillis)) {
            touch();
        }
        return bannedUntil;
    }

    void clearBans() {
        bannedUntil.clear();
        touch();
    }

    /** Primaries that own slots: those whose votes count. */
    int voters() {
        count();
        return voters;
    }

    /** Voters that are not in trouble. */
    int reachableVoters() {
        count();
        return reachableVoters;
    }

    int majority() {
        return voters() / 2 + 1;
    }

    private void count() {
        if (countedAt == version) {
            return;
        }
        countedAt = version;
        voters = self.votes() ? 1 : 0;
        reachableVoters = voters;
        for (Peer peer : others) {
            if (peer.votes()) {
                voters++;
                reachableVoters += peer.troubled() ? 0 : 1;
            }
        }
    }
}
