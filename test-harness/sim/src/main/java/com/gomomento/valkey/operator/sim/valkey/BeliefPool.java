package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes views out of tables. Servers that believe the same get the same instances, of lines and of whole views, so that
 * comparing the views of a cluster at peace costs next to nothing.
 */
final class BeliefPool {

    private static final int REMEMBERED_VIEWS = 4;

    private final Map<NodeId, MemberBelief> lines = new HashMap<>();
    private final Deque<Beliefs> views = new ArrayDeque<>();

    Beliefs of(Table table) {
        SortedMap<NodeId, MemberBelief> all = new TreeMap<>();
        all.put(table.self.id, line(table, table.self, true, open(table)));
        for (Peer peer : table.others()) {
            all.put(peer.id, line(table, peer, peer.linkUp, List.of()));
        }
        for (Beliefs view : views) {
            if (same(view.byId(), all)) {
                return view;
            }
        }
        Beliefs fresh = new Beliefs(all);
        views.addFirst(fresh);
        if (views.size() > REMEMBERED_VIEWS) {
            views.removeLast();
        }
        return fresh;
    }

    // Lines come from one pool: equal ones are one.
    @SuppressWarnings("ReferenceEquality")
    private static boolean same(SortedMap<NodeId, MemberBelief> view, SortedMap<NodeId, MemberBelief> all) {
        if (view.size() != all.size()) {
            return false;
        }
        Iterator<MemberBelief> other = all.values().iterator();
        for (MemberBelief line : view.values()) {
            if (line != other.next()) {
                return false;
            }
        }
        return true;
    }

    private static List<OpenSlot> open(Table table) {
        if (table.migrating.isEmpty() && table.importing.isEmpty()) {
            return List.of();
        }
        List<OpenSlot> open = new ArrayList<>();
        table.migrating.forEach((slot, to) -> open.add(new OpenSlot(slot, true, to)));
        table.importing.forEach((slot, from) -> open.add(new OpenSlot(slot, false, from)));
        return open;
    }

    private MemberBelief line(Table table, Peer peer, boolean linkUp, List<OpenSlot> open) {
        MemberBelief last = lines.get(peer.id);
        long epoch = table.epochOf(peer);
        if (last != null && says(last, peer, epoch, linkUp, open)) {
            return last;
        }
        MemberBelief line = new MemberBelief(
                peer.id,
                text(peer.ip),
                text(peer.hostname),
                peer.role,
                peer.primary.equals(Peer.NOBODY) ? Optional.empty() : Optional.of(peer.primary),
                health(peer),
                peer.handshake,
                linkUp,
                new ConfigEpoch(epoch),
                peer.slots,
                open);
        lines.put(peer.id, line);
        return line;
    }

    /** Whether a line says exactly this. */
    private static boolean says(MemberBelief line, Peer peer, long epoch, boolean linkUp, List<OpenSlot> open) {
        return line.slots().equals(peer.slots)
                && line.role() == peer.role
                && line.linkUp() == linkUp
                && line.handshake() == peer.handshake
                && line.epoch().value() == epoch
                && line.health() == health(peer)
                && line.primary().orElse(Peer.NOBODY).equals(peer.primary)
                && line.ip().orElse("").equals(peer.ip)
                && line.hostname().orElse("").equals(peer.hostname)
                && line.openSlots().equals(open);
    }

    private static Health health(Peer peer) {
        if (peer.failed) {
            return Health.FAILED;
        }
        return peer.suspected ? Health.SUSPECTED : Health.OK;
    }

    private static Optional<String> text(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
