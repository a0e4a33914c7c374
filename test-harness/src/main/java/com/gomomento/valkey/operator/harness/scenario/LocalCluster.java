package com.gomomento.valkey.operator.harness.scenario;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The local Kubernetes that the scenarios run in, as {@code ./dev test it} describes it in environment variables. This
 * process runs inside the cluster's network, so that it reaches every pod's address.
 *
 * @param kubeconfig of the cluster's administrator
 * @param instance its name, as in {@code ./dev --name}
 * @param stateFolder where its nodes' folders, pids and logs are
 * @param binFolder with kubectl
 * @param containerdSockets one a node, node1 first
 * @param auditLog every request of the operator's service account, a JSON object a line
 * @param repository the checkout, for what is shipped in {@code deploy}
 */
public record LocalCluster(
        Path kubeconfig,
        String instance,
        Path stateFolder,
        Path binFolder,
        List<Path> containerdSockets,
        Path auditLog,
        Path repository) {

    private static final String PREFIX = "VALKEY_OPERATOR_IT_";

    /** Copies its list. */
    public LocalCluster {
        containerdSockets = List.copyOf(containerdSockets);
    }

    /**
     * Reads the facts from the environment.
     *
     * @throws IllegalStateException naming the variable that is missing
     */
    public static LocalCluster fromEnvironment() {
        return from(System.getenv());
    }

    static LocalCluster from(Map<String, String> environment) {
        return new LocalCluster(
                Path.of(fact(environment, "KUBECONFIG")),
                fact(environment, "INSTANCE"),
                Path.of(fact(environment, "STATE_DIR")),
                Path.of(fact(environment, "BIN_DIR")),
                Arrays.stream(fact(environment, "CONTAINERD_SOCKETS").split(","))
                        .map(Path::of)
                        .toList(),
                Path.of(fact(environment, "AUDIT_LOG")),
                Path.of(fact(environment, "REPOSITORY")));
    }

    private static String fact(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(PREFIX + name))
                .filter(value -> !value.isBlank())
                .orElseThrow(() -> new IllegalStateException(
                        PREFIX + name + " is not set; scenarios run through ./dev test it, which sets it"));
    }

    /** A new connection as the cluster's administrator; the caller closes it. */
    public KubernetesClient connect() {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setOnlyHttpWatches(true);
        config.setHttp2Disable(true);
        config.setRequestTimeout(20_000);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** The names of the nodes. */
    public List<String> nodes() {
        return IntStream.rangeClosed(1, containerdSockets.size())
                .mapToObj(i -> "node" + i)
                .toList();
    }
}
