package com.gomomento.valkey.operator.harness.scenario;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Containers' processes as this machine sees them, found through the cgroup of the container and by no name, so that only
 * what belongs to this instance can be hit.
 */
public final class HostProcesses {

    /** What can be done to a process. */
    public enum Signal {
        /** End it without a chance to clean up. */
        KILL,
        /** Ask it to end. */
        TERM,
        /** Freeze it. */
        STOP,
        /** Thaw it. */
        CONT
    }

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final List<String> HIERARCHIES = List.of("", "pids", "systemd", "memory");
    private static final List<String> CLASSES = List.of("", "burstable", "besteffort");

    private final LocalCluster cluster;

    HostProcesses(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** The processes of a pod's containers, its pause container left out; empty when none runs. */
    public List<Long> of(Pod pod) {
        List<Long> pids = new ArrayList<>();
        if (pod.getStatus() == null || pod.getSpec().getNodeName() == null) {
            return pids;
        }
        for (ContainerStatus container : pod.getStatus().getContainerStatuses()) {
            String id = container.getContainerID();
            if (id != null) {
                pids.addAll(inContainer(pod, id.substring(id.lastIndexOf('/') + 1)));
            }
        }
        return pids;
    }

    private List<Long> inContainer(Pod pod, String containerId) {
        String group = "valkey-operator-" + cluster.instance();
        for (String hierarchy : HIERARCHIES) {
            Path pods = CGROUPS.resolve(hierarchy)
                    .resolve(group)
                    .resolve(pod.getSpec().getNodeName())
                    .resolve("kubepods");
            for (String serviceClass : CLASSES) {
                Path procs = pods.resolve(serviceClass)
                        .resolve("pod" + pod.getMetadata().getUid())
                        .resolve(containerId)
                        .resolve("cgroup.procs");
                if (Files.exists(procs)) {
                    return read(procs);
                }
            }
        }
        return List.of();
    }

    private static List<Long> read(Path procs) {
        try {
            return Files.readAllLines(procs).stream().map(Long::valueOf).toList();
        } catch (IOException e) {
            // The container ended meanwhile.
            return List.of();
        }
    }

    /** Sends a signal to each; one that is gone already is passed over. */
    public static void signal(Signal signal, List<Long> pids) {
        if (pids.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        run(command);
    }

    /** The pid of one of the instance's own daemons, such as {@code scheduler} or {@code node2-kubelet}. */
    public List<Long> daemon(String name) {
        try {
            String recorded = Files.readString(cluster.stateFolder().resolve("run/" + name + ".pid"));
            return List.of(Long.valueOf(recorded.split(" ", 2)[0]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new ScenarioFailure(command + " did not end within 10 s");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ScenarioFailure("interrupted", e);
        }
    }
}
