package com.gomomento.valkey.operator.harness.scenario;

import com.gomomento.valkey.operator.harness.scenario.HostProcesses.Signal;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What can be done to one namespace's pods and to the room that it has. */
public final class Faults {

    private static final String QUOTA = "pods";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final HostProcesses processes;
    private final History history;
    private final String namespace;

    Faults(KubernetesClient client, HostProcesses processes, History history, String namespace) {
        this.client = client;
        this.processes = processes;
        this.history = history;
        this.namespace = namespace;
    }

    /** <em>kill</em>: SIGKILL to the server in the pod; kubelet then reports the pod as Failed. */
    public void kill(Pod pod) {
        signal(Signal.KILL, pod);
    }

    /** <em>freeze</em>: the server stops where it stands, its connections stay open. */
    public void freeze(Pod pod) {
        signal(Signal.STOP, pod);
    }

    /** Ends {@link #freeze}. */
    public void thaw(Pod pod) {
        signal(Signal.CONT, pod);
    }

    private void signal(Signal signal, Pod pod) {
        List<Long> pids = processes.of(pod);
        if (pids.isEmpty()) {
            throw new ScenarioFailure(
                    "pod " + pod.getMetadata().getName() + " has no process: " + History.describe(pod));
        }
        history.note(signal + " to pod " + pod.getMetadata().getName());
        HostProcesses.signal(signal, pids);
    }

    /** Deletes a pod as {@code kubectl delete pod --force --grace-period=0} does. */
    public void deleteAtOnce(Pod pod) {
        history.note("delete pod " + pod.getMetadata().getName() + " at once");
        client.resource(pod).withGracePeriod(0).delete();
    }

    /** Asks once for a pod's eviction, as {@code kubectl drain} does; whether the PodDisruptionBudget allowed it. */
    public boolean evict(Pod pod) {
        String name = pod.getMetadata().getName();
        Config once = new ConfigBuilder(client.getConfiguration())
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient asking =
                new KubernetesClientBuilder().withConfig(once).build()) {
            boolean allowed =
                    asking.pods().inNamespace(namespace).withName(name).evict();
            history.note("eviction of pod " + name + (allowed ? " allowed" : " refused"));
            return allowed;
        }
    }

    /** Deletes a pod, which gets its grace. */
    public void delete(Pod pod) {
        history.note("delete pod " + pod.getMetadata().getName());
        client.resource(pod).delete();
    }

    /**
     * Ends a pod as kubelet or the pod garbage collector would: phase Failed with a reason, such as Evicted, NodeAffinity or
     * OutOfcpu. kubelet obeys a phase that says that all is over, and ends the container.
     */
    public void fail(Pod pod, String reason, String message) {
        history.note("pod " + pod.getMetadata().getName() + " fails: " + reason);
        Map<String, String> status = new HashMap<>(Map.of("phase", "Failed", "reason", reason, "message", message));
        client.resource(new PodBuilder(pod).build())
                .subresource("status")
                .patch(MERGE, Serialization.asJson(Map.of("status", status)));
    }

    /** Changes a label of a pod. */
    public void relabel(Pod pod, String key, String value) {
        history.note("pod " + pod.getMetadata().getName() + " gets the label " + key + "=" + value);
        client.resource(new PodBuilder(pod).build())
                .patch(MERGE, Serialization.asJson(Map.of("metadata", Map.of("labels", Map.of(key, value)))));
    }

    /** Allows the namespace so many pods. */
    public void limitPods(int pods) {
        history.note("quota: " + pods + " pods");
        client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName(QUOTA)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("pods", new Quantity(Integer.toString(pods)))
                        .endSpec()
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    /** Allows each container of the namespace so much memory, such as {@code 64Mi}. */
    public void limitMemory(String most) {
        history.note("limit: " + most + " of memory a container");
        client.resource(new LimitRangeBuilder()
                        .withNewMetadata()
                        .withName("memory")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addNewLimit()
                        .withType("Container")
                        .addToMax("memory", new Quantity(most))
                        .endLimit()
                        .endSpec()
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    /** Keeps new pods off a node, whose pods run on; for scenarios that run alone. */
    public void cordon(String node, boolean cordoned) {
        history.note((cordoned ? "cordon " : "uncordon ") + node);
        client.nodes()
                .withName(node)
                .patch(MERGE, Serialization.asJson(Map.of("spec", Map.of("unschedulable", cordoned))));
    }

    /** Gives every node a label, so that a pod that selects it can be placed at last. */
    public void labelNodes(String key, String value) {
        history.note("nodes get the label " + key + "=" + value);
        patchNodes(Map.of("metadata", Map.of("labels", Map.of(key, value))));
    }

    /** Takes the label away again. */
    public void unlabelNodes(String key) {
        Map<String, Object> labels = new HashMap<>();
        labels.put(key, null);
        patchNodes(Map.of("metadata", Map.of("labels", labels)));
    }

    private void patchNodes(Map<String, Object> patch) {
        client.nodes()
                .list()
                .getItems()
                .forEach(node -> client.nodes()
                        .withName(node.getMetadata().getName())
                        .patch(MERGE, Serialization.asJson(patch)));
    }
}
