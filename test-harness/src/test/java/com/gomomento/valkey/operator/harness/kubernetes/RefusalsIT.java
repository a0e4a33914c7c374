package com.gomomento.valkey.operator.harness.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyAclFile;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyServerConfig;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyService;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateCredentials;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeletePod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.MarkPod;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the API server or somebody else's property stands against: told in the server's words, and left untouched. */
class RefusalsIT extends SharedBed {

    @Test
    void aServiceOfSomebodyElsesIsLeftAlone() throws Exception {
        TestCluster cluster = bed.cluster(port, "squatted");
        bed.admin()
                .resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withName("squatted")
                        .withNamespace(bed.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .addNewPort()
                        .withPort(80)
                        .endPort()
                        .endSpec()
                        .build())
                .create();

        assertThat(cluster.run(new ApplyService()))
                .isEqualTo(new Rejected("Service squatted exists and belongs to somebody else"));

        Service service = bed.admin()
                .services()
                .inNamespace(bed.namespace())
                .withName("squatted")
                .get();
        assertThat(service.getSpec().getPorts()).hasSize(1);
        assertThat(service.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(cluster.view().servicePresent()).isFalse();
    }

    @Test
    void aSecretOfSomebodyElsesIsLeftAloneEvenIfItLooksLikeOurs() throws Exception {
        TestCluster cluster = bed.cluster(port, "lookalike");
        bed.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("lookalike-internal")
                        .withNamespace(bed.namespace())
                        .addToLabels("app.kubernetes.io/managed-by", "valkey-operator")
                        .addToLabels("app.kubernetes.io/instance", "lookalike")
                        .endMetadata()
                        .addToStringData("operator-password", "known-to-an-attacker")
                        .addToStringData("replication-password", "known-to-an-attacker")
                        .build())
                .create();

        assertThat(cluster.run(new CreateCredentials()))
                .isEqualTo(new Rejected("Secret lookalike-internal exists and belongs to somebody else"));
        Thread.sleep(500);
        assertThat(cluster.view().credentials()).isEmpty();
    }

    @Test
    void aPodOfSomebodyElsesIsNeitherAMemberNorTouched() throws Exception {
        TestCluster cluster = bed.cluster(port, "intruded");
        TestCluster other = bed.cluster(port, "other");
        CreateMember member = cluster.member("00001");
        bed.admin()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(member.name().value())
                        .withNamespace(bed.namespace())
                        .addToLabels("app.kubernetes.io/managed-by", "valkey-operator")
                        .addToLabels("app.kubernetes.io/instance", "intruded")
                        .endMetadata()
                        .withSpec(restrictedSpec())
                        .build())
                .create();

        assertThat(cluster.run(member))
                .isEqualTo(new Rejected("Pod intruded-00001 exists and belongs to somebody else"));
        assertThat(cluster.view().records()).containsKey(member.name());
        assertThat(cluster.view().pods()).isEmpty();

        CreateMember theirs = other.member("00002");
        other.run(theirs);
        String uid = other.pod(theirs).uid();
        Rejected foreign = new Rejected("Pod other-00002 exists and belongs to somebody else");
        assertThat(cluster.run(new DeletePod(theirs.name(), uid, 0))).isEqualTo(foreign);
        assertThat(cluster.run(new MarkPod(theirs.name(), uid, new TreeMap<>(Map.of("a", "b")), new TreeMap<>())))
                .isEqualTo(foreign);
        assertThat(other.view().pods()).containsKey(theirs.name());
    }

    @Test
    void aQuotaSpeaksForItself() throws Exception {
        String tight = bed.makeNamespace("tight-" + TestBed.hex(), Map.of());
        ResourceQuota quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("few")
                .withNamespace(tight)
                .endMetadata()
                .withNewSpec()
                .addToHard("pods", new Quantity("0"))
                .endSpec()
                .build();
        bed.admin().resource(quota).create();
        // Written by the controller manager, which a bare API server does without.
        bed.admin()
                .resourceQuotas()
                .inNamespace(tight)
                .withName("few")
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"hard\":{\"pods\":\"0\"},\"used\":{\"pods\":\"0\"}}}");
        TestCluster cluster = bed.cluster(port, tight, "poor", "no-such-config");

        TestCluster.eventually(
                "the quota holds",
                () -> refusalOfNextMember(cluster)
                        .contains("is forbidden: exceeded quota: few, requested: pods=1, used: pods="));
    }

    @Test
    void anAdmissionRuleSpeaksForItself() throws Exception {
        String small = bed.makeNamespace("small-" + TestBed.hex(), Map.of());
        bed.admin()
                .resource(new LimitRangeBuilder()
                        .withNewMetadata()
                        .withName("small")
                        .withNamespace(small)
                        .endMetadata()
                        .withNewSpec()
                        .addNewLimit()
                        .withType("Container")
                        .addToMax("cpu", new Quantity("100m"))
                        .endLimit()
                        .endSpec()
                        .build())
                .create();
        TestCluster cluster = bed.cluster(port, small, "big", "no-such-config");

        TestCluster.eventually(
                "the limit holds",
                () -> refusalOfNextMember(cluster)
                        .contains("maximum cpu usage per Container is 100m, but limit is 500m"));
    }

    /** The bed's own namespace enforces {@code restricted}, and everywhere else in these tests our pods are admitted. */
    @Test
    void podSecurityRefusesWhatOurPodsAreNot() {
        var refused = catchThrowable(() -> bed.admin()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("root")
                        .withNamespace(bed.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("c")
                        .withImage("i")
                        .endContainer()
                        .endSpec()
                        .build())
                .create());

        assertThat(refused).hasMessageContaining("violates PodSecurity");
    }

    @Test
    void aNamespaceThatIsEndingTakesNothingNew() throws Exception {
        String ending = bed.makeNamespace("ending-" + TestBed.hex(), Map.of());
        TestCluster cluster = bed.cluster(port, ending, "late", "no-such-config");
        var anchor = bed.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("anchor")
                        .withNamespace(ending)
                        .addToFinalizers("test.example.com/held")
                        .endMetadata()
                        .build());
        anchor.create();
        var declaration = cluster.declaration();
        bed.admin().namespaces().withName(ending).delete();
        try {
            for (KubernetesAction action :
                    new KubernetesAction[] {cluster.member("00001"), new ApplyServerConfig("port 6379\n")}) {
                TestCluster.eventually(
                        "it is ending",
                        () -> refusal(port.execute(declaration, List.of(action)).getFirst())
                                .contains("because it is being terminated"));
            }
        } finally {
            anchor.edit(found -> new ConfigMapBuilder(found)
                    .editMetadata()
                    .withFinalizers()
                    .endMetadata()
                    .build());
        }
    }

    @Test
    void aRefusedSecretIsNotQuoted() throws Exception {
        TestCluster cluster = bed.cluster(port, "huge");
        AclFile tooLong = new AclFile("planted-password ".repeat(100_000), "primaryuser _replication\n");

        ActionResult result = cluster.run(new ApplyAclFile(tooLong));

        assertThat(result).isNotEqualTo(new Applied());
        assertThat(result.toString()).contains("Secret was refused").doesNotContain("planted");
    }

    /** Each try under a new name: a rule takes effect a moment after it was made, and what got in before stays. */
    private String refusalOfNextMember(TestCluster cluster) {
        return refusal(cluster.run(cluster.member(TestBed.hex())));
    }

    private static String refusal(ActionResult result) {
        return result instanceof Rejected(String reason) ? reason : "";
    }

    private static PodSpec restrictedSpec() {
        return new PodBuilder()
                .withNewSpec()
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .addNewContainer()
                .withName("c")
                .withImage("docker.io/nobody/nothing:1")
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .addToDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .buildSpec();
    }
}
