package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** A valkey-server that runs. */
final class Instance {

    /** What a process believes of another. */
    static final class Line {
        /** Whether the two are still being introduced; nothing else of it counts then. */
        boolean handshake;

        boolean failed;
        Optional<NodeId> follows = Optional.empty();
        long epoch;
        int slots;

        Line copy() {
            Line copy = new Line();
            copy.handshake = handshake;
            copy.failed = failed;
            copy.follows = follows;
            copy.epoch = epoch;
            copy.slots = slots;
            return copy;
        }

        @Override
        public String toString() {
            return (handshake ? "h" : "") + (failed ? "f" : "") + "e" + epoch + "s" + Integer.toHexString(slots)
                    + follows.map(State::brief).orElse("");
        }
    }

    final NodeId id;
    final NodeName pod;
    final String podUid;
    final int shard;
    Optional<NodeId> follows = Optional.empty();

    /** Whether a replica has all that its primary has, and hears of every change. */
    boolean linked;

    long epoch;
    int slots;

    /** Slots of which it holds all data. */
    int data;

    /** Whom the slots in {@link #moving} are on their way to. */
    Optional<NodeId> target = Optional.empty();

    int moving;

    /** Whether the operator does not reach it. */
    boolean deaf;

    /** Whether no other process reaches it. */
    boolean cut;

    final TreeMap<NodeId, Line> view = new TreeMap<>();
    final TreeSet<NodeId> banned = new TreeSet<>();

    Instance(NodeId id, NodeName pod, String podUid, int shard) {
        this.id = id;
        this.pod = pod;
        this.podUid = podUid;
        this.shard = shard;
    }

    Instance copy() {
        Instance copy = new Instance(id, pod, podUid, shard);
        copy.follows = follows;
        copy.linked = linked;
        copy.epoch = epoch;
        copy.slots = slots;
        copy.data = data;
        copy.target = target;
        copy.moving = moving;
        copy.deaf = deaf;
        copy.cut = cut;
        view.forEach((peer, line) -> copy.view.put(peer, line.copy()));
        copy.banned.addAll(banned);
        return copy;
    }

    boolean primary() {
        return follows.isEmpty();
    }

    boolean knows(NodeId peer) {
        Line line = view.get(peer);
        return line != null && !line.handshake;
    }

    /** Slots of everybody else in its view. */
    int slotsOfOthers() {
        return view.values().stream().mapToInt(line -> line.slots).reduce(Slots.NONE, (a, b) -> a | b);
    }

    /** The highest config epoch that it has heard of. */
    long highestEpoch() {
        return Math.max(
                epoch,
                view.values().stream().mapToLong(line -> line.epoch).max().orElse(0));
    }

    void describe(StringBuilder out) {
        out.append(State.brief(id))
                .append(deaf ? "d" : "")
                .append(cut ? "c" : "")
                .append(linked ? "l" : "");
        out.append('e')
                .append(epoch)
                .append('s')
                .append(Integer.toHexString(slots))
                .append('k')
                .append(Integer.toHexString(data));
        follows.ifPresent(primary -> out.append('>').append(State.brief(primary)));
        target.ifPresent(
                peer -> out.append('m').append(Integer.toHexString(moving)).append(State.brief(peer)));
        for (Map.Entry<NodeId, Line> entry : view.entrySet()) {
            out.append(',').append(State.brief(entry.getKey())).append(entry.getValue());
        }
        banned.forEach(peer -> out.append('!').append(State.brief(peer)));
        out.append(';');
    }
}
