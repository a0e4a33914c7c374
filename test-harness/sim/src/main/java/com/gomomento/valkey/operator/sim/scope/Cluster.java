package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView.Phase;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;

/** What Kubernetes does: with a write, and by itself. */
final class Cluster {

    private Cluster() {}

    /**
     * Carries a write out as the executors do, in the order of their calls.
     *
     * @param halfWay whether the operator ends after the first of several calls
     */
    static void write(State state, KubernetesAction action, boolean halfWay) {
        switch (action) {
            case KubernetesAction.CreateMember create -> create(state, create, halfWay);
            case KubernetesAction.DeletePod delete -> {
                State.Pod pod = state.pods.get(delete.name());
                if (pod != null && pod.uid().equals(delete.uid())) {
                    leave(state, delete.name(), pod);
                }
            }
            case KubernetesAction.DeleteRecord delete -> {
                State.Written record = state.records.get(delete.name());
                if (record != null && record.uid().equals(delete.uid())) {
                    state.records.remove(delete.name());
                }
            }
            case KubernetesAction.WriteRecordStatus note -> {
                State.Written record = state.records.get(note.name());
                if (record != null && record.uid().equals(note.uid())) {
                    state.records.put(
                            note.name(),
                            new State.Written(
                                    record.shard(), record.ordinal(), record.replaces(), note.status(), record.uid()));
                }
            }
            case KubernetesAction.MarkFormed ignored -> state.formed = true;
            case KubernetesAction.ApplyService ignored -> {}
            case KubernetesAction.ApplyServerConfig ignored -> {}
            case KubernetesAction.ApplyAclFile ignored -> {}
            case KubernetesAction.ApplyDisruptionBudget ignored -> {}
            case KubernetesAction.CreateCredentials ignored -> {}
            case KubernetesAction.MarkPod ignored -> {}
        }
    }

    private static void create(State state, KubernetesAction.CreateMember create, boolean halfWay) {
        NodeName name = create.name();
        State.Written there = state.records.get(name);
        if (there == null) {
            state.records.put(
                    name,
                    new State.Written(
                            create.shard(),
                            create.ordinal(),
                            create.replaces(),
                            NodeRecord.Status.NEW,
                            "node-" + name + "-" + state.make("node " + name)));
        } else if (there.status().podUid().isPresent()) {
            return;
        }
        if (!halfWay && !state.pods.containsKey(name)) {
            String uid = name + "-" + state.make("pod " + name);
            state.pods.put(name, new State.Pod(uid, create.shard(), Phase.PENDING, false));
        }
    }

    /** A pod is asked to end; one whose process has ended, or that never had one, is gone at once. */
    static void leave(State state, NodeName name, State.Pod pod) {
        state.endings.add(pod.uid());
        if (state.inPod(name).isPresent()) {
            state.pods.put(name, pod.leaving());
        } else {
            state.pods.remove(name);
        }
    }

    /** The kubelet starts a pod's process. */
    static void start(State state, NodeName name, State.Pod pod) {
        String hex = Fingerprint.of("one", pod.uid()).hex()
                + Fingerprint.of("two", pod.uid()).hex();
        NodeId id = new NodeId(hex + "00000000");
        state.processes.put(id, new Instance(id, name, pod.uid(), pod.shard().index()));
        state.pods.put(name, pod.in(Phase.RUNNING));
    }

    /** The kubelet says that a pod's process has ended by itself. */
    static void report(State state, NodeName name, State.Pod pod) {
        state.endings.add(pod.uid());
        state.pods.put(name, pod.in(Phase.FAILED));
    }

    /** A process ends; if its pod was being deleted, that is gone, too. */
    static void end(State state, Instance process) {
        state.processes.remove(process.id);
        State.Pod pod = state.pods.get(process.pod);
        if (pod != null && pod.uid().equals(process.podUid) && pod.terminating()) {
            state.pods.remove(process.pod);
        }
        Engine.gossip(state);
    }

    /** Somebody removes a pod by force; its process runs on for a while. */
    static void remove(State state, NodeName name) {
        state.pods.remove(name);
    }
}
