package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.Optional;

/**
 * How servers tell one another what they believe. A ping and its answer are one step here: each side reads the other's state
 * at that moment, as a header about the sender and entries about third nodes. Two servers that told each other nothing new
 * the last time, and have not changed since, only note that they are alive.
 */
final class Gossip {

    private final ValkeyNetwork network;

    Gossip(ValkeyNetwork network) {
        this.network = network;
    }

    /**
     * {@code from} pings {@code peer} over its link. Nothing comes back if the peer hangs or the way is cut; then the ping
     * stays unanswered.
     */
    void ping(Server from, Peer peer) {
        long now = network.now();
        if (peer.pingedAt == Peer.NEVER) {
            peer.pingedAt = now;
        }
        Optional<Server> listener = network.listener(from, peer.ip);
        if (listener.isEmpty()) {
            return;
        }
        Server to = listener.get();
        if (calm(from, peer, to)) {
            answered(from, peer, now);
            return;
        }
        long here = from.table().version();
        long there = to.table().version();
        boolean meeting = peer.meet;
        arrive(to, from, meeting, true);
        pong(from, peer, to);
        boolean nothingNew =
                here == from.table().version() && there == to.table().version();
        peer.calmHere = nothingNew ? here : -1;
        peer.calmThere = there;
    }

    private boolean calm(Server from, Peer peer, Server to) {
        if (peer.meet || peer.handshake || peer.calmHere != from.table().version()) {
            return false;
        }
        if (peer.calmThere != to.table().version() || !peer.id.equals(to.id())) {
            return false;
        }
        Optional<Peer> back = to.table().find(from.id());
        if (back.isEmpty()) {
            return false;
        }
        back.get().heardAt = network.now();
        back.get().offset = from.offset();
        peer.offset = to.offset();
        return true;
    }

    /** What a broadcast pong, which nobody asked for, brings about once it has arrived. */
    void arriveUnasked(Server at, Server from) {
        arrive(at, from, false, false);
    }

    /** A message about {@code from} on a connection that {@code from} made. */
    private void arrive(Server at, Server from, boolean meeting, boolean ping) {
        Optional<Peer> known = at.table().find(from.id());
        if (known.isEmpty()) {
            if (meeting) {
                welcome(at, from);
            }
            return;
        }
        Peer sender = known.get();
        if (meeting && sender.linkUp && network.now() - sender.bornAt > at.handshakeMillis()) {
            // It has lost us and asks to be met again: what our link to it leads to is not sure.
            sender.linkUp = false;
        }
        header(at, sender, from);
        if (ping && !sender.handshake && !sender.ip.equals(from.ip())) {
            readdress(at, sender, from.ip());
        }
        config(at, sender, from, ping);
    }

    /** A stranger introduces itself: an entry under a made-up id, until our own handshake tells who it is. */
    private void welcome(Server at, Server from) {
        boolean underway = at.table().others().stream().anyMatch(peer -> peer.handshake && peer.ip.equals(from.ip()));
        if (!underway) {
            Peer guest = new Peer(network.newId(), from.ip(), network.now());
            guest.shard = network.newShard();
            guest.handshake = true;
            at.table().add(guest);
        }
    }

    /** The answer to a ping of {@code at} on its link to {@code link}. */
    private void pong(Server at, Peer link, Server from) {
        Optional<Peer> known = at.table().find(from.id());
        known.ifPresent(sender -> header(at, sender, from));
        known.ifPresent(sender -> sender.meet = false);
        if (link.handshake) {
            if (known.isPresent()) {
                if (!known.get().ip.equals(from.ip())) {
                    readdress(at, known.get(), from.ip());
                }
                at.table().remove(link);
                return;
            }
            // What this pong says of others is lost: its sender was a stranger when it came.
            link.handshake = false;
            link.meet = false;
            link.role = from.table().self.role;
            at.table().rename(link, from.id());
            answered(at, link, network.now());
            return;
        }
        if (!link.id.equals(from.id())) {
            misled(at, link);
            return;
        }
        answered(at, link, network.now());
        noteStranger(at, link, from);
        known.ifPresent(sender -> config(at, sender, from, false));
    }

    private void answered(Server at, Peer link, long now) {
        link.pongAt = now;
        link.heardAt = now;
        link.pingedAt = Peer.NEVER;
        if (link.suspected) {
            link.suspected = false;
            at.changed();
        } else if (link.failed) {
            at.heartbeat().reachableAgain(link);
        }
    }

    /** Somebody else lives at that address: the node that we looked for has none now. */
    private void misled(Server at, Peer link) {
        link.ip = "";
        link.linkUp = false;
        link.pingedAt = Peer.NEVER;
        at.changed();
        if (!link.failed) {
            at.heartbeat().markFailed(link);
            at.heartbeat().spreadFailure(link);
        }
    }

    /** A peer that has forgotten us must be met again, or it would never learn of us. */
    private void noteStranger(Server at, Peer link, Server from) {
        if (from.table().knows(at.id())) {
            link.strangerSince = Peer.NEVER;
        } else if (link.strangerSince == Peer.NEVER) {
            link.strangerSince = network.now();
        }
    }

    private void readdress(Server at, Peer peer, String ip) {
        peer.ip = ip;
        peer.linkUp = false;
        at.changed();
        if (at.table().self.follows(peer.id)) {
            at.replication().follow(ip, false);
        }
    }

    /** Epochs and offset, which every message carries. */
    private void header(Server at, Peer sender, Server from) {
        Table table = at.table();
        Table theirs = from.table();
        sender.heardAt = network.now();
        if (sender.handshake) {
            return;
        }
        if (sender.primaryFailed != theirs.self.primaryFailed) {
            sender.primaryFailed = theirs.self.primaryFailed;
            table.touch();
        }
        if (theirs.currentEpoch > table.currentEpoch) {
            table.currentEpoch = theirs.currentEpoch;
            table.touch();
        }
        long claimed = theirs.shardPrimary().configEpoch;
        if (theirs.self.isPrimary() && claimed > sender.configEpoch) {
            sender.configEpoch = claimed;
            table.touch();
            at.election().outrunBy(claimed);
        }
        sender.offset = from.offset();
        at.election().heardOffset(sender, from);
    }

    /** Role and slots of the sender, then what it knows of others. */
    private void config(Server at, Peer sender, Server from, boolean ping) {
        Table table = at.table();
        Table theirs = from.table();
        boolean wasReplica = sender.isReplica();
        long claimedEpoch = theirs.shardPrimary().configEpoch;
        if (theirs.self.isPrimary()) {
            if (wasReplica) {
                table.makePrimary(sender);
                at.changed();
            }
        } else if (!replicaNow(at, sender, theirs, claimedEpoch)) {
            return;
        }
        if (theirs.self.isPrimary() && (wasReplica || differs(sender, theirs))) {
            at.claims().adopt(sender, claimedEpoch, theirs.self.slots);
            at.claims().correct(sender, claimedEpoch, theirs.self.slots);
        }
        if (table.self.isPrimary() && sender.isPrimary() && claimedEpoch == table.self.configEpoch) {
            at.claims().resolveCollision(sender);
        }
        entries(at, sender, from, ping);
        extensions(at, sender, from);
    }

    private static boolean differs(Peer sender, Table theirs) {
        return !sender.slots.equals(theirs.self.slots);
    }

    /** @return false for a message of the past, of which nothing more is read */
    private boolean replicaNow(Server at, Peer sender, Table theirs, long claimedEpoch) {
        Table table = at.table();
        Optional<Peer> primary = table.find(theirs.self.primary);
        if (sender.isPrimary()) {
            boolean sameShard = primary.isPresent() && primary.get().shard == sender.shard;
            if (sameShard) {
                Peer successor = primary.get();
                if (sender.configEpoch > claimedEpoch || table.epochOf(successor) > claimedEpoch) {
                    return false;
                }
                at.claims().inherit(sender, successor, claimedEpoch);
            } else if (!sender.slots.isEmpty()) {
                sender.slots = SlotSet.EMPTY;
            }
            sender.role = Role.REPLICA;
            at.changed();
        }
        if (primary.isPresent() && !sender.primary.equals(primary.get().id)) {
            sender.primary = primary.get().id;
            sender.shard = primary.get().shard;
            at.changed();
            at.roles().followTheChain();
        }
        return true;
    }

    /**
     * Third nodes that the sender tells of. One without slots is left out while there is no link to it; but in a ping, which
     * goes out just after all links were tried anew, there is one, be it to a dead node.
     */
    private void entries(Server at, Peer sender, Server from, boolean ping) {
        Table table = at.table();
        for (Peer told : from.table().others()) {
            if (told.handshake || !told.hasAddress() || told.id.equals(at.id())) {
                continue;
            }
            if (!ping && !told.linkUp && told.slots.isEmpty() && !told.suspected) {
                continue;
            }
            Optional<Peer> known = table.find(told.id);
            if (known.isPresent()) {
                news(at, sender, known.get(), told);
            } else if (!table.isBanned(told.id, network.now())) {
                Peer stranger = new Peer(told.id, told.ip, network.now());
                stranger.shard = network.newShard();
                stranger.role = told.role;
                stranger.suspected = told.suspected;
                stranger.failed = told.failed;
                table.add(stranger);
                at.changed();
            }
        }
    }

    private void news(Server at, Peer sender, Peer known, Peer told) {
        if (told.troubled()) {
            if (sender.votes()) {
                at.heartbeat().report(known, sender.id);
            }
            at.heartbeat().judge(known);
        } else if (!known.reports.isEmpty() && known.reports.remove(sender.id) != null) {
            at.table().touch();
        }
        if (known.troubled() && !told.troubled() && !known.ip.equals(told.ip)) {
            readdress(at, known, told.ip);
        }
    }

    /** Name, shard and the list of whom to forget. */
    private void extensions(Server at, Peer sender, Server from) {
        Table table = at.table();
        sender.hostname = from.hostname();
        from.table().bans(network.now()).forEach((id, until) -> forgotten(at, id, until));
        if (sender.shard != from.table().self.shard) {
            Optional<Peer> primary = table.find(sender.primary);
            if (sender.isPrimary() || primary.isEmpty() || primary.get().shard == from.table().self.shard) {
                sender.shard = from.table().self.shard;
                table.touch();
            }
        }
        if (table.self.follows(sender.id)) {
            table.self.shard = sender.shard;
        }
    }

    private void forgotten(Server at, NodeId id, long until) {
        Optional<Peer> peer = at.table().find(id);
        if (peer.isPresent()
                && peer.get() != at.table().self
                && !at.table().self.follows(id)) {
            at.table().ban(id, until);
            at.table().remove(peer.get());
            at.changed();
        }
    }
}
