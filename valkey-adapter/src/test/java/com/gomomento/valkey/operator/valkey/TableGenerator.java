package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Draws tables of a cluster's members from a seed, and prints them the way valkey-server does. */
final class TableGenerator {

    private final Random random;

    TableGenerator(long seed) {
        this.random = new Random(seed);
    }

    /** A table of 1 to 12 members, in which no slot and no id comes twice. */
    NodesTable table() {
        SortedMap<NodeId, MemberBelief> members = new TreeMap<>();
        List<NodeId> ids = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(12); i++) {
            ids.add(id());
        }
        List<SlotSet> shares = shares(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            members.put(ids.get(i), member(ids, ids.get(i), i == 0, shares.get(i)));
        }
        return new NodesTable(ids.getFirst(), new Beliefs(members));
    }

    private MemberBelief member(List<NodeId> all, NodeId id, boolean self, SlotSet slots) {
        boolean handshake = !self && random.nextInt(6) == 0;
        boolean replica = !handshake && slots.isEmpty() && random.nextInt(3) > 0;
        Optional<NodeId> primary =
                replica && random.nextInt(8) > 0 ? Optional.of(all.get(random.nextInt(all.size()))) : Optional.empty();
        return new MemberBelief(
                id,
                ip(),
                random.nextBoolean() ? Optional.of("pod-" + random.nextInt(100) + ".cluster.ns.svc") : Optional.empty(),
                replica ? Role.REPLICA : Role.PRIMARY,
                primary,
                self ? Health.OK : health(),
                handshake,
                self || random.nextBoolean(),
                new ConfigEpoch(random.nextInt(4) == 0 ? 0 : random.nextLong(1L << 48)),
                slots,
                self ? openSlots() : List.of());
    }

    private Health health() {
        return switch (random.nextInt(3)) {
            case 0 -> Health.SUSPECTED;
            case 1 -> Health.FAILED;
            default -> Health.OK;
        };
    }

    private Optional<String> ip() {
        return switch (random.nextInt(5)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of("fd00::" + Integer.toHexString(random.nextInt(65536)));
            default -> Optional.of("10.244." + random.nextInt(256) + "." + random.nextInt(256));
        };
    }

    private List<OpenSlot> openSlots() {
        List<OpenSlot> open = new ArrayList<>();
        for (int i = 0; i < random.nextInt(3); i++) {
            open.add(new OpenSlot(random.nextInt(SlotSet.COUNT), random.nextBoolean(), id()));
        }
        return open;
    }

    /** Slots dealt out to {@code members}, in ranges of any size, some to nobody. */
    private List<SlotSet> shares(int members) {
        List<SlotSet> shares = new ArrayList<>(Collections.nCopies(members, SlotSet.EMPTY));
        int next = random.nextInt(200);
        while (next < SlotSet.COUNT) {
            int last = Math.min(SlotSet.COUNT - 1, next + (random.nextBoolean() ? 0 : random.nextInt(3000)));
            int owner = random.nextInt(members);
            shares.set(owner, shares.get(owner).plus(SlotSet.of(List.of(new SlotRange(next, last)))));
            next = last + 1 + random.nextInt(500);
        }
        return shares;
    }

    private NodeId id() {
        StringBuilder hex = new StringBuilder();
        while (hex.length() < 40) {
            hex.append(Integer.toHexString(random.nextInt(16)));
        }
        return new NodeId(hex.toString());
    }

    /** As {@code CLUSTER NODES} prints it; members in any order, as in the server's own hash table. */
    String print(NodesTable table) {
        List<MemberBelief> members = new ArrayList<>(table.view().all());
        Collections.shuffle(members, random);
        StringBuilder text = new StringBuilder();
        for (MemberBelief member : members) {
            boolean self = member.id().equals(table.self());
            text.append(member.id()).append(' ').append(address(member)).append(' ');
            text.append(flags(member, self)).append(' ');
            text.append(member.primary().map(NodeId::value).orElse("-"));
            text.append(self ? " 0 0 " : " 1796069733965 " + random.nextLong(1L << 40) + " ");
            text.append(member.epoch().value()).append(member.linkUp() ? " connected" : " disconnected");
            member.slots().ranges().forEach(range -> text.append(' ').append(range));
            member.openSlots().forEach(slot -> text.append(' ').append(slot));
            text.append('\n');
        }
        return text.toString();
    }

    private String address(MemberBelief member) {
        int port = member.ip().isEmpty() ? 0 : 6379;
        String busPort = port == 0 ? "@0" : "@16379";
        String aux = random.nextInt(4) == 0 ? ",shard-id=" + "a".repeat(40) + ",tls-port=0" : "";
        String hostname = member.hostname().map(name -> "," + name).orElse(aux.isEmpty() ? "" : ",");
        return member.ip().orElse("") + ":" + port + busPort + hostname + aux;
    }

    private String flags(MemberBelief member, boolean self) {
        List<String> flags = new ArrayList<>();
        if (self) {
            flags.add("myself");
        }
        if (!member.handshake()) {
            flags.add(member.role() == Role.REPLICA ? "slave" : "master");
        }
        switch (member.health()) {
            case OK -> {}
            case SUSPECTED -> flags.add("fail?");
            case FAILED -> flags.add("fail");
        }
        if (member.handshake()) {
            flags.add("handshake");
        }
        if (member.ip().isEmpty()) {
            flags.add("noaddr");
        }
        if (random.nextInt(6) == 0) {
            flags.add("nofailover");
        }
        return flags.isEmpty() ? "noflags" : String.join(",", flags);
    }
}
