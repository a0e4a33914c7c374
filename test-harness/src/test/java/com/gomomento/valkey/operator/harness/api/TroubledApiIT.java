package com.gomomento.valkey.operator.harness.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.logs.GuestOperator;
import com.gomomento.valkey.operator.harness.logs.LogLine;
import com.gomomento.valkey.operator.harness.scenario.DisturbsOperator;
import com.gomomento.valkey.operator.harness.scenario.Patience;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import com.gomomento.valkey.operator.harness.scenario.ValkeyClusterHandle;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * B47 a to d and a part of B52: the custom resources are missing, rights and tokens are revoked, answers have several lines.
 * A copy of the operator goes through all of it alone, while the shipped one is scaled to nothing.
 */
@ScenarioTest
@DisturbsOperator
class TroubledApiIT {

    private static final Duration HEALS = Duration.ofMinutes(2);
    private static final String GUEST = "guest";

    @Test
    void whatIsRevokedIsToldAndHealsWhenItIsBack(Scenario scenario) {
        scenario.bench().operator().scale(0);
        try (ApiProxy proxy = ApiProxy.start(
                scenario.bench().cluster(),
                scenario.bench().client().getMasterUrl().toString())) {
            proxy.hideCustomResources(true);
            Map<String, String> environment = new TreeMap<>(GuestOperator.tokenEnvironment());
            environment.put("RUST_LOG", "info");
            environment.put("KUBERNETES_MASTER", proxy.url());
            try (GuestOperator guest =
                    GuestOperator.startWithToken(scenario, GUEST, environment, name -> giveToken(scenario, "first"))) {
                ValkeyClusterHandle cluster = startsBeforeTheCustomResources(scenario, proxy, guest);
                losesAllRights(scenario, cluster, proxy, guest);
                lacksOneRight(scenario, cluster, guest);
                isRefusedInSeveralLines(scenario, cluster, proxy, guest);
                getsANewToken(scenario, cluster, proxy, guest);
                assertThat(LogLine.problems(guest.printed(), onStandardError -> false))
                        .isEmpty();
            }
        } finally {
            scenario.bench().operator().scale(1);
        }
    }

    private static ValkeyClusterHandle startsBeforeTheCustomResources(
            Scenario scenario, ApiProxy proxy, GuestOperator guest) {
        guest.awaitRunning();
        LogLine told = guest.awaitLine("watch failed, will retry", HEALS);
        assertThat(told.field("kind").asText()).isNotBlank();
        ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 1);
        proxy.hideCustomResources(false);
        scenario.check(cluster).settled(HEALS);
        return cluster;
    }

    private static void losesAllRights(
            Scenario scenario, ValkeyClusterHandle cluster, ApiProxy proxy, GuestOperator guest) {
        guest.unbind();
        proxy.cut();
        Patience.until(
                HEALS,
                "the log to name the verb and the resource that are forbidden",
                () -> guest.lines().stream()
                        .anyMatch(line -> line.message().equals("watch failed, will retry")
                                && line.field("error").asText().contains("cannot list resource")));
        List<String> before = podNames(cluster);
        scenario.faults().kill(cluster.member(0, false));
        Patience.throughout(
                Duration.ofSeconds(5),
                "a pod was touched without a right",
                () -> podNames(cluster).equals(before)
                        ? List.of()
                        : List.of("pods were " + before + ", are " + podNames(cluster)));
        guest.bind();
        scenario.check(cluster).settled(HEALS);
    }

    private static void lacksOneRight(Scenario scenario, ValkeyClusterHandle cluster, GuestOperator guest) {
        guest.allow(TroubledApiIT::withoutPodCreation);
        scenario.faults().deleteAtOnce(cluster.member(0, false));
        cluster.awaitMessage("cannot create resource \"pods\"", HEALS);
        guest.allow(rules -> rules);
        scenario.check(cluster).settled(HEALS);
    }

    private static void isRefusedInSeveralLines(
            Scenario scenario, ValkeyClusterHandle cluster, ApiProxy proxy, GuestOperator guest) {
        proxy.refuse((method, path) -> method.equals("POST") && path.contains("/pods")
                ? Optional.of("first line\nsecond \"line\"\r\n\tthird")
                : Optional.empty());
        scenario.faults().deleteAtOnce(cluster.member(0, false));
        Patience.until(
                HEALS,
                "the refusal to be told in one line",
                () -> guest.lines().stream()
                        .anyMatch(line -> line.field("error").asText().contains("first line\nsecond \"line\"")));
        proxy.refuse((method, path) -> Optional.empty());
        scenario.check(cluster).settled(HEALS);
    }

    private static void getsANewToken(
            Scenario scenario, ValkeyClusterHandle cluster, ApiProxy proxy, GuestOperator guest) {
        String old = new String(
                Base64.getDecoder()
                        .decode(scenario.bench()
                                .client()
                                .secrets()
                                .inNamespace(scenario.namespace())
                                .withName(GuestOperator.tokenSecret(GUEST))
                                .require()
                                .getData()
                                .get("token")),
                StandardCharsets.UTF_8);
        String path = "/api/v1/namespaces/" + scenario.namespace() + "/pods";
        assertThat(proxy.answerTo(path, old)).isEqualTo(200);
        giveToken(scenario, "second");
        // kubelet delivers a Secret at once to a pod that changes.
        scenario.bench()
                .client()
                .resource(guest.pod())
                .edit(pod -> new PodBuilder(pod)
                        .editMetadata()
                        .addToAnnotations("example.com/token", "second")
                        .endMetadata()
                        .build());
        scenario.bench()
                .client()
                .secrets()
                .inNamespace(scenario.namespace())
                .withName("first")
                .delete();
        Patience.until(HEALS, "the old token to be refused", () -> proxy.answerTo(path, old) == 401);
        proxy.cut();
        scenario.faults().deleteAtOnce(cluster.member(0, false));
        scenario.check(cluster).settled(HEALS);
    }

    /** Makes a token that lives as long as the Secret {@code bound}, and puts it where the guest reads it. */
    private static void giveToken(Scenario scenario, String bound) {
        scenario.bench()
                .client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(bound)
                        .withNamespace(scenario.namespace())
                        .endMetadata()
                        .build())
                .create();
        String token = scenario.bench()
                .kubectl()
                .run(
                        "-n",
                        scenario.namespace(),
                        "create",
                        "token",
                        GUEST,
                        "--bound-object-kind=Secret",
                        "--bound-object-name=" + bound)
                .strip();
        scenario.bench()
                .client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(GuestOperator.tokenSecret(GUEST))
                        .withNamespace(scenario.namespace())
                        .endMetadata()
                        .addToStringData("token", token)
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private static List<PolicyRule> withoutPodCreation(List<PolicyRule> rules) {
        List<PolicyRule> reduced = new ArrayList<>();
        for (PolicyRule rule : rules) {
            reduced.add(
                    rule.getResources().contains("pods")
                            ? new PolicyRuleBuilder(rule)
                                    .removeFromVerbs("create")
                                    .build()
                            : rule);
        }
        return reduced;
    }

    private static List<String> podNames(ValkeyClusterHandle cluster) {
        return cluster.pods().stream()
                .map(pod -> pod.getMetadata().getName())
                .sorted()
                .toList();
    }
}
