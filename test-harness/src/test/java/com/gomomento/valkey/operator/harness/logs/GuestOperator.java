package com.gomomento.valkey.operator.harness.logs;

import com.gomomento.valkey.operator.harness.scenario.ContainerLog;
import com.gomomento.valkey.operator.harness.scenario.HostProcesses;
import com.gomomento.valkey.operator.harness.scenario.OperatorLog;
import com.gomomento.valkey.operator.harness.scenario.Patience;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioFailure;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A copy of the operator as shipped, in the namespace of a scenario, with an environment and rights of its own. It watches
 * all clusters, as every operator does; what it may not write it does not touch. Close it, or its rights stay behind.
 */
public final class GuestOperator implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final Set<String> READS = Set.of("get", "list", "watch");

    /** Where a token of its own is mounted. */
    private static final String TOKEN_FOLDER = "/var/run/guest";

    private final Scenario scenario;
    private final String name;

    private GuestOperator(Scenario scenario, String name) {
        this.scenario = scenario;
        this.name = name;
    }

    /** Its environment in order to read its token from the Secret of {@link #startWithToken}. */
    public static Map<String, String> tokenEnvironment() {
        return Map.of("KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN", TOKEN_FOLDER + "/token");
    }

    /** The name of the Secret with the token of the guest of this name, in the scenario's namespace. */
    public static String tokenSecret(String name) {
        return name + "-token";
    }

    /** What is shipped, of one type. */
    public static <T extends HasMetadata> T shipped(Scenario scenario, Class<T> type) {
        try (InputStream yaml =
                Files.newInputStream(scenario.bench().cluster().repository().resolve("deploy/operator.yaml"))) {
            return scenario.bench().client().load(yaml).items().stream()
                    .filter(type::isInstance)
                    .map(type::cast)
                    .findFirst()
                    .orElseThrow(() -> new ScenarioFailure("deploy/operator.yaml has no " + type.getSimpleName()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The shipped rules without those that change something. */
    public static List<PolicyRule> readOnly(List<PolicyRule> rules) {
        List<PolicyRule> reads = new ArrayList<>();
        for (PolicyRule rule : rules) {
            List<String> verbs =
                    rule.getVerbs().stream().filter(READS::contains).toList();
            if (!verbs.isEmpty()) {
                reads.add(new PolicyRuleBuilder(rule).withVerbs(verbs).build());
            }
        }
        return reads;
    }

    /**
     * Starts one; returns at once.
     *
     * @param name of its pod and its service account
     * @param rights what it may do, made of the shipped rules
     * @param environment in place of the shipped one
     */
    public static GuestOperator start(
            Scenario scenario, String name, UnaryOperator<List<PolicyRule>> rights, Map<String, String> environment) {
        GuestOperator guest = admitted(scenario, name, rights);
        guest.client().resource(guest.podWith(environment).build()).create();
        return guest;
    }

    /** Starts one with all shipped rights that reads its token from the Secret {@link #tokenSecret}, key {@code token}. */
    public static GuestOperator startWithToken(
            Scenario scenario, String name, Map<String, String> environment, Consumer<String> tokenFor) {
        GuestOperator guest = admitted(scenario, name, rules -> rules);
        tokenFor.accept(name);
        guest.client()
                .resource(guest.podWith(environment)
                        .editSpec()
                        .addNewVolume()
                        .withName("token")
                        .withNewSecret()
                        .withSecretName(tokenSecret(name))
                        .endSecret()
                        .endVolume()
                        .editFirstContainer()
                        .addNewVolumeMount()
                        .withName("token")
                        .withMountPath(TOKEN_FOLDER)
                        .endVolumeMount()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        return guest;
    }

    private static GuestOperator admitted(Scenario scenario, String name, UnaryOperator<List<PolicyRule>> rights) {
        GuestOperator guest = new GuestOperator(scenario, name);
        guest.client()
                .resource(new ServiceAccountBuilder()
                        .withMetadata(guest.metadata())
                        .build())
                .create();
        guest.allow(rights);
        guest.bind();
        return guest;
    }

    /** Starts one that can only look. */
    public static GuestOperator watching(Scenario scenario, String name, Map<String, String> environment) {
        return start(scenario, name, GuestOperator::readOnly, environment);
    }

    /** Gives it these rights in place of those that it has. */
    public void allow(UnaryOperator<List<PolicyRule>> rights) {
        ClusterRole role = new ClusterRoleBuilder()
                .withMetadata(clusterWide())
                .withRules(rights.apply(shipped(scenario, ClusterRole.class).getRules()))
                .build();
        client().resource(role).createOr(existing -> existing.update());
    }

    /** Gives it its rights. */
    public void bind() {
        client().resource(binding()).create();
    }

    /** Takes all rights away. */
    public void unbind() {
        client().resource(binding()).delete();
    }

    /** Its pod. */
    public Pod pod() {
        return Optional.ofNullable(client().pods()
                        .inNamespace(scenario.namespace())
                        .withName(name)
                        .get())
                .orElseThrow(() -> new ScenarioFailure("the guest operator's pod " + name + " is gone"));
    }

    /** Waits until it runs. */
    public GuestOperator awaitRunning() {
        Patience.until(START, "the guest operator " + name + " to run", () -> Readiness.isPodReady(pod()));
        return this;
    }

    /** Waits until it ended; how it did. */
    public ContainerStateTerminated awaitEnd(Duration limit) {
        return Patience.untilFound(
                limit,
                "the guest operator " + name + " to end",
                () -> pod().getStatus().getContainerStatuses().stream()
                        .flatMap(container ->
                                Optional.ofNullable(container.getState().getTerminated()).stream())
                        .findFirst());
    }

    /** All that it printed, and on which stream. */
    public List<OperatorLog.Line> printed() {
        return ContainerLog.of(scenario.bench().cluster(), scenario.namespace(), name);
    }

    /** Those of its lines on standard output that are JSON objects. */
    public List<LogLine> lines() {
        return printed().stream()
                .filter(line -> line.stream().equals("stdout"))
                .flatMap(line -> LogLine.parse(line.text()).stream())
                .toList();
    }

    /** Waits until it has said this. */
    public LogLine awaitLine(String message, Duration limit) {
        return Patience.untilFound(
                limit,
                "the guest operator " + name + " to say '" + message + "'",
                () -> lines().stream()
                        .filter(line -> line.message().equals(message))
                        .findFirst());
    }

    /** Its processes on this machine. */
    public List<Long> processes() {
        return scenario.bench().processes().of(pod());
    }

    /** Asks it to end, as kubelet does when its pod is deleted, but leaves the pod to be looked at. */
    public void terminate() {
        HostProcesses.signal(HostProcesses.Signal.TERM, processes());
    }

    /** Ends it and takes its rights away. */
    @Override
    public void close() {
        List<Runnable> steps = List.of(
                () -> client().pods()
                        .inNamespace(scenario.namespace())
                        .withName(name)
                        .withGracePeriod(0)
                        .delete(),
                () -> client().resource(binding()).delete(),
                () -> client().rbac()
                        .clusterRoles()
                        .withName(clusterWide().getName())
                        .delete());
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (KubernetesClientException e) {
                scenario.history().note("could not be cleaned up: " + e.getMessage());
            }
        }
    }

    private PodBuilder podWith(Map<String, String> environment) {
        List<EnvVar> variables = new ArrayList<>();
        environment.forEach((key, value) ->
                variables.add(new EnvVarBuilder().withName(key).withValue(value).build()));
        PodSpec spec =
                shipped(scenario, Deployment.class).getSpec().getTemplate().getSpec();
        return new PodBuilder()
                .withMetadata(metadata())
                .withNewSpecLike(spec)
                .withServiceAccountName(name)
                .withRestartPolicy("Never")
                .editFirstContainer()
                .withEnv(variables)
                .endContainer()
                .endSpec();
    }

    private ClusterRoleBinding binding() {
        return new ClusterRoleBindingBuilder()
                .withMetadata(clusterWide())
                .withNewRoleRef(
                        "rbac.authorization.k8s.io",
                        "ClusterRole",
                        clusterWide().getName())
                .addNewSubject("", "ServiceAccount", name, scenario.namespace())
                .build();
    }

    private ObjectMeta metadata() {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(scenario.namespace())
                .build();
    }

    private ObjectMeta clusterWide() {
        return new ObjectMetaBuilder()
                .withName(scenario.namespace() + "-" + name)
                .build();
    }

    private KubernetesClient client() {
        return scenario.bench().client();
    }
}
