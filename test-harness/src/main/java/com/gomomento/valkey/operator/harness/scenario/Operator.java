package com.gomomento.valkey.operator.harness.scenario;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.List;

/** The operator as shipped in {@code deploy}: its own service account, only the shipped rights, one Deployment for all. */
public final class Operator {

    /** Where it runs. */
    public static final String NAMESPACE = "valkey-operator";

    /** Its Deployment. */
    public static final String DEPLOYMENT = "valkey-operator";

    private static final Duration START = Duration.ofSeconds(90);

    private final LocalCluster cluster;
    private final KubernetesClient client;
    private final Kubectl kubectl;
    private final HostProcesses processes;

    Operator(LocalCluster cluster, KubernetesClient client, Kubectl kubectl, HostProcesses processes) {
        this.cluster = cluster;
        this.client = client;
        this.kubectl = kubectl;
        this.processes = processes;
    }

    /** Applies what is shipped, as a user does, and waits until it runs. */
    public void install() {
        kubectl.run("apply", "-f", cluster.repository().resolve("deploy/crds").toString());
        kubectl.run(
                "wait",
                "--for=condition=Established",
                "--timeout=30s",
                "-f",
                cluster.repository().resolve("deploy/crds").toString());
        kubectl.run(
                "apply",
                "-f",
                cluster.repository().resolve("deploy/operator.yaml").toString());
        awaitRunning(1);
    }

    /** Its pods, whatever their phase. */
    public List<Pod> pods() {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withLabel("app.kubernetes.io/name", "valkey-operator")
                .list()
                .getItems();
    }

    /** Waits until exactly so many run and no other is left. */
    public void awaitRunning(int count) {
        Patience.until(START, count + " running operators and no other pod of theirs", () -> {
            List<Pod> pods = pods();
            return pods.size() == count
                    && pods.stream()
                            .allMatch(pod ->
                                    pod.getMetadata().getDeletionTimestamp() == null && Readiness.isPodReady(pod));
        });
    }

    /** Finds the processes now, so that {@link Victim#kill} takes no time. */
    public Victim aim() {
        List<Pod> pods = pods();
        return new Victim(
                pods, pods.stream().flatMap(pod -> processes.of(pod).stream()).toList());
    }

    /** Running operators and their processes. */
    public final class Victim {
        private final List<Pod> pods;
        private final List<Long> pids;

        private Victim(List<Pod> pods, List<Long> pids) {
            this.pods = pods;
            this.pids = pids;
            if (pids.isEmpty()) {
                throw new ScenarioFailure("no process of the operator was found");
            }
        }

        /**
         * Ends them by SIGKILL, and then their pods, so that the Deployment makes new ones at once in place of kubelet with
         * its growing delay.
         */
        public void kill() {
            HostProcesses.signal(HostProcesses.Signal.KILL, pids);
            pods.forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
        }
    }

    /** The processes of one of its pods, to be frozen or killed alone. */
    public List<Long> processesOfOne() {
        return processes.of(pods().getFirst());
    }

    /** Kills whatever runs now; see {@link Victim#kill}. */
    public void kill() {
        aim().kill();
    }

    /** Kills whatever runs now and lets none take its place until {@link #scale}. */
    public void killAndHold() {
        Victim victim = aim();
        client.apps().deployments().inNamespace(NAMESPACE).withName(DEPLOYMENT).scale(0);
        victim.kill();
        awaitRunning(0);
    }

    /** Sets the number of copies and waits until they run. */
    public void scale(int copies) {
        client.apps().deployments().inNamespace(NAMESPACE).withName(DEPLOYMENT).scale(copies);
        awaitRunning(copies);
    }
}
