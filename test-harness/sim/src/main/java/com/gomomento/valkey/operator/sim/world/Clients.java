package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.check.Roster;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.valkey.Reply;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clients of one cluster. They write keys all over the slots, follow redirections, and remember what was acknowledged. */
final class Clients {

    private static final int KEYS = 16;
    private static final int REDIRECTIONS = 4;
    private static final long LEAST_PAUSE_MILLIS = 40;
    private static final long MOST_PAUSE_MILLIS = 300;

    private final World world;
    private final ClusterKey cluster;
    private final Dice dice;
    private final List<Integer> slots = new ArrayList<>();
    private final Map<Integer, String> ipOfSlot = new HashMap<>();
    private long versions;
    private long acknowledged;
    private boolean stopped;

    Clients(World world, ClusterKey cluster, Dice dice) {
        this.world = world;
        this.cluster = cluster;
        this.dice = dice;
        for (int i = 0; i < KEYS; i++) {
            slots.add((int) ((long) i * SlotSet.COUNT / KEYS) + dice.below(SlotSet.COUNT / KEYS));
        }
    }

    void start() {
        world.timeline().after(dice.between(LEAST_PAUSE_MILLIS, MOST_PAUSE_MILLIS), this::writeOne);
    }

    void stop() {
        stopped = true;
    }

    long acknowledged() {
        return acknowledged;
    }

    private void writeOne() {
        if (stopped) {
            return;
        }
        world.api().get(ObjectKey.cluster(cluster)).ifPresent(this::write);
        start();
    }

    private void write(Stored object) {
        int slot = dice.pick(slots);
        versions++;
        Optional<Server> server = Optional.ofNullable(ipOfSlot.get(slot))
                .flatMap(world.network()::at)
                .or(() -> anybody(object.uid()));
        boolean asking = false;
        for (int i = 0; i < REDIRECTIONS && server.isPresent(); i++) {
            Reply reply = asking
                    ? server.get().writeAsking(slot, 0, versions)
                    : server.get().write(slot, 0, versions);
            switch (reply.kind()) {
                case OK -> {
                    acknowledge(object, slot, server.get());
                    return;
                }
                case MOVED, ASK -> {
                    asking = reply.kind() == Reply.Kind.ASK;
                    server = world.network().at(address(reply.text()));
                }
                case PAUSED -> {
                    return;
                }
                case CLUSTERDOWN, ERROR, SILENCE -> {
                    ipOfSlot.remove(slot);
                    return;
                }
            }
        }
        ipOfSlot.remove(slot);
    }

    private void acknowledge(Stored object, int slot, Server server) {
        boolean own = world.roster()
                .find(server.id())
                .filter(process -> process.clusterUid().equals(object.uid()))
                .isPresent();
        ipOfSlot.put(slot, server.ip());
        if (own) {
            acknowledged++;
            world.invariants().lastCopy().acknowledged(object.uid(), slot, 0, versions);
        } else {
            // An address that was another cluster's: a client of a real cluster would notice by its password.
            ipOfSlot.remove(slot);
        }
    }

    private Optional<Server> anybody(String clusterUid) {
        List<Roster.Instance> processes = world.roster().existing(clusterUid);
        return processes.isEmpty()
                ? Optional.empty()
                : Optional.of(dice.pick(processes).server());
    }

    /** The address in {@code MOVED 1234 10.0.0.1:6379}. */
    private static String address(String text) {
        int from = text.lastIndexOf(' ') + 1;
        return text.substring(from, text.lastIndexOf(':'));
    }
}
