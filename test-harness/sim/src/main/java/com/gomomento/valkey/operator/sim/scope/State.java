package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView.Phase;
import com.gomomento.valkey.operator.core.plan.Action;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that there is at one moment. Bent in place by one step on a copy; equal if {@link #key} is. */
final class State {

    /** A ValkeyNode. */
    record Written(ShardId shard, int ordinal, Optional<NodeName> replaces, NodeRecord.Status status, String uid) {}

    /** A Pod. Its process may end before Kubernetes says so, and may outlive it. */
    record Pod(String uid, ShardId shard, Phase phase, boolean terminating) {

        Pod in(Phase other) {
            return new Pod(uid, shard, other, terminating);
        }

        Pod leaving() {
            return new Pod(uid, shard, phase, true);
        }
    }

    /** How many shards the user wishes for. */
    int shards;

    /** Whether the user has yet to change their mind. */
    boolean wishPending;

    boolean formed;

    /** Whether the status has ever said Active; until then it says Creating. */
    boolean created;

    /** How many faults may still happen. */
    int faults;

    /** An action that was decided on and is carried out some time later, or never. */
    Optional<Action> held = Optional.empty();

    final TreeMap<NodeName, Written> records = new TreeMap<>();
    final TreeMap<NodeName, Pod> pods = new TreeMap<>();
    final TreeMap<NodeId, Instance> processes = new TreeMap<>();

    /** Pods that Kubernetes has said to end or to have ended; an operator that ran on remembers them. */
    final TreeSet<String> endings = new TreeSet<>();

    /** How many objects were made under a name. */
    final TreeMap<String, Integer> made = new TreeMap<>();

    State copy() {
        State copy = new State();
        copy.shards = shards;
        copy.wishPending = wishPending;
        copy.formed = formed;
        copy.created = created;
        copy.faults = faults;
        copy.held = held;
        copy.records.putAll(records);
        copy.pods.putAll(pods);
        processes.forEach((id, process) -> copy.processes.put(id, process.copy()));
        copy.endings.addAll(endings);
        copy.made.putAll(made);
        return copy;
    }

    /** The how-many-th object of that name is made now. */
    int make(String name) {
        return made.merge(name, 1, Integer::sum);
    }

    Optional<Instance> process(NodeId id) {
        return Optional.ofNullable(processes.get(id));
    }

    /** The process in the pod that has this name now. */
    Optional<Instance> inPod(NodeName name) {
        Pod pod = pods.get(name);
        return processes.values().stream()
                .filter(process -> pod != null && process.podUid.equals(pod.uid()))
                .findFirst();
    }

    /** Whether the pod of a process is there and is to stay. */
    boolean stays(Instance process) {
        Pod pod = pods.get(process.pod);
        return pod != null && pod.uid().equals(process.podUid) && !pod.terminating();
    }

    /** Whether the pod of a process is there. */
    boolean podExists(Instance process) {
        Pod pod = pods.get(process.pod);
        return pod != null && pod.uid().equals(process.podUid);
    }

    static boolean connected(Instance one, Instance other) {
        return !one.cut && !other.cut;
    }

    /** The first digits of an id, which tell all of one scope apart. */
    static String brief(NodeId id) {
        return id.value().substring(0, 8);
    }

    /** Tells two states apart that differ in anything that matters later. */
    String key() {
        StringBuilder out = new StringBuilder(512);
        out.append(shards)
                .append(wishPending ? 'w' : ' ')
                .append(formed ? 'F' : ' ')
                .append(created ? 'C' : ' ')
                .append(faults);
        held.ifPresent(action -> out.append(action));
        records.forEach((name, record) -> {
            NodeRecord.Status status = record.status();
            out.append('|').append(name.value()).append(record.uid()).append(status.lifecycle());
            status.role().ifPresent(role -> out.append(role));
            status.podUid().ifPresent(uid -> out.append(uid));
            status.podIp().ifPresent(ip -> out.append(ip));
            status.nodeId().ifPresent(id -> out.append(brief(id)));
            status.podUid().filter(endings::contains).ifPresent(uid -> out.append('E'));
        });
        pods.forEach((name, pod) -> out.append('/')
                .append(name.value())
                .append(pod.uid())
                .append(pod.phase())
                .append(pod.terminating() ? 't' : ' '));
        out.append('#');
        processes.values().forEach(process -> process.describe(out));
        return out.toString();
    }
}
