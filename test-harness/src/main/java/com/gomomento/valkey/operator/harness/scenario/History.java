package com.gomomento.valkey.operator.harness.scenario;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All that happened to one namespace's clusters and pods, as the API server told it, each status held against itself as it
 * came by. Watchers run on the client's threads.
 */
public final class History implements AutoCloseable {

    private final List<Event> events = new ArrayList<>();
    private final List<String> dishonest = new ArrayList<>();
    private final Map<String, String> last = new HashMap<>();
    private final Set<String> podNames = new TreeSet<>();
    private final List<ClusterView> statuses = new ArrayList<>();
    private final List<Consumer<ClusterView>> clusterListeners = new ArrayList<>();
    private final List<Consumer<Pod>> podListeners = new ArrayList<>();
    private final List<Watch> watches;

    private History(KubernetesClient client, String namespace) {
        this.watches = List.of(
                client.genericKubernetesResources(Manifests.context(ValkeyKind.CLUSTER))
                        .inNamespace(namespace)
                        .watch(new Recorder<GenericKubernetesResource>(this::cluster)),
                client.pods().inNamespace(namespace).watch(new Recorder<Pod>(this::pod)));
    }

    static History of(KubernetesClient client, String namespace) {
        return new History(client, namespace);
    }

    /** Something that changed. */
    public record Event(Instant at, String what) {}

    /** All events so far, in the order of their arrival. */
    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** Statuses that contradicted themselves. */
    public synchronized List<String> dishonest() {
        return List.copyOf(dishonest);
    }

    /** Names of all pods that ever were. */
    public synchronized Set<String> podNames() {
        return new TreeSet<>(podNames);
    }

    /** Every status of this cluster that was ever shown, in order. */
    public synchronized List<ClusterView> statuses(String cluster) {
        return statuses.stream().filter(view -> view.name().equals(cluster)).toList();
    }

    /** Has every status that is written from now on handed over, on a thread of the client. */
    public synchronized void onCluster(Consumer<ClusterView> listener) {
        clusterListeners.add(listener);
    }

    /** Has every change of a pod from now on handed over, on a thread of the client. */
    public synchronized void onPod(Consumer<Pod> listener) {
        podListeners.add(listener);
    }

    /** Adds what the scenario itself does. */
    public synchronized void note(String what) {
        events.add(new Event(Instant.now(), what));
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
    }

    private synchronized void cluster(Watcher.Action action, GenericKubernetesResource object) {
        ClusterView view = ClusterView.of(object);
        String line = action == Watcher.Action.DELETED
                ? "gone"
                : "generation " + view.generation() + (view.deleting() ? ", deleting" : "") + ": " + view.state() + "@"
                        + view.observedGeneration() + " " + view.ready() + " slots " + view.slotsAssigned()
                        + (view.formedAt().isEmpty() ? "" : ", formed") + " '" + view.message() + "'";
        tell("cluster " + view.name(), line);
        view.contradictions().forEach(problem -> dishonest.add("cluster " + view.name() + ": " + problem));
        if (action != Watcher.Action.DELETED) {
            statuses.add(view);
        }
        clusterListeners.forEach(listener -> listener.accept(view));
    }

    private synchronized void pod(Watcher.Action action, Pod pod) {
        tell("pod " + pod.getMetadata().getName(), action == Watcher.Action.DELETED ? "gone" : describe(pod));
        podNames.add(pod.getMetadata().getName());
        podListeners.forEach(listener -> listener.accept(pod));
    }

    private void tell(String subject, String line) {
        if (!line.equals(last.put(subject, line))) {
            events.add(new Event(Instant.now(), subject + ": " + line));
        }
    }

    /** A pod in one line. */
    static String describe(Pod pod) {
        StringBuilder line = new StringBuilder(String.valueOf(
                pod.getStatus() == null ? "no status" : pod.getStatus().getPhase()));
        line.append(Readiness.isPodReady(pod) ? ", ready" : "");
        line.append(pod.getMetadata().getDeletionTimestamp() == null ? "" : ", deleting");
        if (pod.getStatus() != null) {
            line.append(
                    pod.getStatus().getReason() == null
                            ? ""
                            : ", " + pod.getStatus().getReason());
            pod.getStatus().getContainerStatuses().forEach(container -> line.append(state(container.getState())));
        }
        Map<String, String> labels = pod.getMetadata().getLabels();
        if (labels != null) {
            line.append(", shard ").append(labels.get("valkey.gomomento.com/shard"));
            line.append(' ').append(labels.getOrDefault("valkey.gomomento.com/role", "-"));
        }
        return line.toString();
    }

    private static String state(ContainerState state) {
        if (state.getTerminated() != null) {
            return ", ended: " + state.getTerminated().getReason() + " "
                    + state.getTerminated().getExitCode();
        }
        return state.getWaiting() != null ? ", waiting: " + state.getWaiting().getReason() : "";
    }

    private record Recorder<T>(Sink<T> sink) implements Watcher<T> {
        private interface Sink<T> {
            void take(Action action, T object);
        }

        @Override
        public void eventReceived(Action action, T object) {
            sink.take(action, object);
        }

        @Override
        public void onClose(WatcherException cause) {
            // The client has given up; what is missing in the history is missed by nobody but its reader.
        }
    }
}
