package com.gomomento.valkey.operator.harness.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.harness.scenario.LeavesOperatorAlone;
import com.gomomento.valkey.operator.harness.scenario.Manifests;
import com.gomomento.valkey.operator.harness.scenario.OperatorLog;
import com.gomomento.valkey.operator.harness.scenario.Patience;
import com.gomomento.valkey.operator.harness.scenario.Reply;
import com.gomomento.valkey.operator.harness.scenario.RespConnection;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import com.gomomento.valkey.operator.harness.scenario.SecretScan;
import com.gomomento.valkey.operator.harness.scenario.ValkeyClusterHandle;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** B35: what fails is told at the most verbose level, and still no secret is. */
@ScenarioTest
@LeavesOperatorAlone
class SecretsIT {

    private static final Duration FORMED = Duration.ofMinutes(2);
    private static final Duration NOTICED = Duration.ofMinutes(2);
    private static final String USER = "shopper";
    private static final String USER_PASSWORD = "planted-password-of-a-user-4711";

    /** SHA-256 of {@link #USER_PASSWORD}, as it stands in a manifest. */
    private static final String USER_HASH = "58fc9c195fc7fe4bba8f292f15985454439a88aef52c47a8db57a74477b885c3";

    @Test
    void areNowhereButInSecretsAndMountedFiles(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = securedCluster(scenario);
        Patience.untilNone(
                FORMED,
                "the cluster to be Active",
                () -> scenario.check(cluster).state());
        SecretScan scan = SecretScan.of(scenario.bench(), scenario.namespace());
        assertThat(scan.needles()).as("two passwords, three forms each").isEqualTo(6);
        scan.password("the user's password", USER_PASSWORD).text("the user's hash", USER_HASH);

        try (GuestOperator trace = GuestOperator.watching(scenario, "trace", Map.of("RUST_LOG", "trace"))) {
            trace.awaitRunning().awaitLine("active tick", NOTICED);
            refuseTheOperator(cluster.livePods().getFirst());
            cluster.awaitMessage("WRONGPASS", NOTICED);
            breakSecretsAndConfiguration(scenario, cluster);
            String said = trace.printed().stream().map(OperatorLog.Line::text).collect(Collectors.joining("\n"));
            scan.within("the log of the operator at trace", said);

            assertThat(scan.findings()).isEmpty();
            assertThat(LogLine.problems(trace.printed(), onStandardError -> false))
                    .isEmpty();
            assertThat(trace.lines()).extracting(LogLine::level).contains("DEBUG", "INFO", "WARN");
        }
    }

    /** The scanner itself: what is planted is found, in each of its forms. */
    @Test
    void areFoundWhereTheyArePlanted(Scenario scenario) {
        SecretScan scan = SecretScan.of(scenario.bench(), scenario.namespace()).password("it", USER_PASSWORD);

        assertThat(scan.within("a", "x " + USER_PASSWORD).findings()).hasSize(1);
        assertThat(scan.within("b", "x " + USER_HASH).findings()).hasSize(2);
        assertThatThrownBy(() -> scan.text("short", "abc")).hasMessageContaining("short has 3 characters");
    }

    private static ValkeyClusterHandle securedCluster(Scenario scenario) {
        String role = scenario.make(
                ValkeyKind.ROLE,
                scenario.namespace() + "-all",
                Map.of("categories", List.of(Map.of("name", "all", "access", "allow"))));
        Map<String, Object> spec = new HashMap<>(Manifests.cluster(scenario.plainConfig(), 1, 1));
        spec.put(
                "acl",
                List.of(Map.of(
                        "username",
                        USER,
                        "passwordHashes",
                        List.of(USER_HASH),
                        "permissions",
                        List.of(Map.of(
                                "roleRef", role, "keys", List.of(Map.of("pattern", "*", "access", "readwrite")))))));
        return scenario.handle("shop").create(spec);
    }

    /** The operator's password stops being right, and its open connections end. */
    private static void refuseTheOperator(Pod pod) throws IOException {
        try (RespConnection connection = RespConnection.open(pod.getStatus().getPodIP(), Duration.ofSeconds(5))) {
            for (List<String> command : List.of(
                    List.of("AUTH", USER, USER_PASSWORD),
                    List.of("ACL", "SETUSER", "_operator", "resetpass", ">another-password"),
                    List.of("CLIENT", "KILL", "USER", "_operator"))) {
                assertThat(connection.call(command.toArray(new String[0])))
                        .as(command.toString())
                        .isNotInstanceOf(Reply.Failure.class);
            }
        }
    }

    /** Refusals of writes of Secrets, a Secret that is no use, and a server that cannot read its configuration. */
    private static void breakSecretsAndConfiguration(Scenario scenario, ValkeyClusterHandle cluster) {
        scenario.bench()
                .client()
                .secrets()
                .inNamespace(cluster.namespace())
                .withName(cluster.name() + "-access")
                .delete();
        String config =
                scenario.config("broken", scenario.image(Scenario.SERVER_VERSION), Map.of("save", "rubbish here"));
        ValkeyClusterHandle broken = scenario.handle("broken").create(Manifests.cluster(config, 1, 0));
        Patience.until(
                FORMED,
                "the broken cluster to say why it does not form",
                () -> broken.find()
                        .filter(view ->
                                !view.message().isEmpty() && !view.message().contains("waiting for pod"))
                        .isPresent());
    }
}
