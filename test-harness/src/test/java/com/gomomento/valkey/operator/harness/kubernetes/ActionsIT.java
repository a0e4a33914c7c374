package com.gomomento.valkey.operator.harness.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyAclFile;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyDisruptionBudget;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyServerConfig;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyService;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateCredentials;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeletePod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeleteRecord;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.MarkPod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.WriteRecordStatus;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each action on a real API server: done, done again, and what users made of its object in between. */
class ActionsIT extends SharedBed {

    private static final AclFile ACCESS = new AclFile("user default on nopass\n", "primaryuser _replication\n");
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    @Test
    void everythingThatIsMadeIsSeenAtOnceAndMadeOnlyOnce() throws Exception {
        TestCluster cluster = bed.cluster(port, "whole");
        CreateMember member = cluster.member("00001");
        List<KubernetesAction> actions = List.of(
                new ApplyService(),
                new ApplyServerConfig("port 6379\n"),
                new CreateCredentials(),
                new ApplyAclFile(ACCESS),
                new ApplyDisruptionBudget(3),
                member);

        assertThat(port.execute(cluster.declaration(), actions)).hasSize(6).containsOnly(new Applied());

        KubernetesView view = cluster.view();
        assertThat(view.servicePresent()).isTrue();
        assertThat(view.serverConfig()).contains("port 6379\n");
        assertThat(view.credentials()).isPresent();
        assertThat(view.aclFile()).contains(ACCESS);
        assertThat(view.minAvailable()).hasValue(3);
        assertThat(cluster.node(member).status()).isEqualTo(NodeRecord.Status.NEW);
        PodView pod = cluster.pod(member);
        assertThat(pod.phase()).isEqualTo(PodView.Phase.PENDING);
        assertThat(pod.template()).contains(member.template());
        assertThat(pod.image()).isEqualTo("docker.io/valkey/valkey:9.1.2");
        Thread.sleep(500);
        assertThat(port.execute(cluster.declaration(), List.of(member, new CreateCredentials())))
                .containsOnly(new AlreadyDone());
        assertThat(cluster.view().credentials()).isEqualTo(view.credentials());
    }

    @Test
    void whatAUserChangedOfOursIsRepairedAndWhatIsTheirsStays() throws Exception {
        TestCluster cluster = bed.cluster(port, "drift");
        assertThat(cluster.run(new ApplyService())).isEqualTo(new Applied());
        var service = bed.admin().services().inNamespace(bed.namespace()).withName("drift");

        service.patch(
                MERGE, "{\"metadata\":{\"labels\":{\"team\":\"shop\"}},\"spec\":{\"publishNotReadyAddresses\":false}}");
        TestCluster.eventually("the change is seen", () -> !cluster.view().servicePresent());
        assertThat(cluster.run(new ApplyService())).isEqualTo(new Applied());

        assertThat(cluster.view().servicePresent()).isTrue();
        Service repaired = service.get();
        assertThat(repaired.getSpec().getPublishNotReadyAddresses()).isTrue();
        assertThat(repaired.getMetadata().getLabels()).containsEntry("team", "shop");
        assertThat(cluster.run(new ApplyService())).isEqualTo(new AlreadyDone());
    }

    @Test
    void anObjectWithoutOurLabelIsOutOfSightUntilItIsApplied() throws Exception {
        TestCluster cluster = bed.cluster(port, "unlabelled");
        cluster.run(new ApplyServerConfig("port 6379\n"));
        bed.admin()
                .configMaps()
                .inNamespace(bed.namespace())
                .withName("unlabelled-config")
                .patch(MERGE, "{\"metadata\":{\"labels\":{\"app.kubernetes.io/managed-by\":null}}}");
        TestCluster.eventually(
                "it is out of sight", () -> cluster.view().serverConfig().isEmpty());

        assertThat(cluster.run(new ApplyServerConfig("port 6379\n"))).isEqualTo(new Applied());

        TestCluster.eventually("it is back", () -> cluster.view().serverConfig().isPresent());
    }

    @Test
    void passwordsWithoutOurLabelAreFoundAgain() throws Exception {
        TestCluster cluster = bed.cluster(port, "hidden");
        cluster.run(new CreateCredentials());
        Optional<Credentials> before = cluster.view().credentials();
        bed.admin()
                .secrets()
                .inNamespace(bed.namespace())
                .withName("hidden-internal")
                .patch(MERGE, "{\"metadata\":{\"labels\":{\"app.kubernetes.io/managed-by\":null}}}");
        TestCluster.eventually(
                "they are out of sight", () -> cluster.view().credentials().isEmpty());

        assertThat(cluster.run(new CreateCredentials())).isEqualTo(new Applied());

        TestCluster.eventually(
                "they are back", () -> cluster.view().credentials().equals(before));
    }

    @Test
    void aLostPasswordIsMadeAnewAndTheOtherStays() throws Exception {
        TestCluster cluster = bed.cluster(port, "passwords");
        cluster.run(new CreateCredentials());
        Credentials first = cluster.view().credentials().orElseThrow();
        bed.admin()
                .secrets()
                .inNamespace(bed.namespace())
                .withName("passwords-internal")
                .patch(MERGE, "{\"data\":{\"operator-password\":null}}");
        TestCluster.eventually(
                "the loss is seen", () -> cluster.view().credentials().isEmpty());

        assertThat(cluster.run(new CreateCredentials())).isEqualTo(new Applied());

        Credentials second = cluster.view().credentials().orElseThrow();
        assertThat(second.replication()).isEqualTo(first.replication());
        assertThat(second.operator()).isNotEqualTo(first.operator());
        assertThat(second.operator().reveal()).matches("[0-9a-f]{64}");
    }

    @Test
    void aChangedFileReplacesTheOldOne() throws Exception {
        TestCluster cluster = bed.cluster(port, "files");
        cluster.run(new ApplyAclFile(ACCESS));
        AclFile changed = new AclFile("user default off\n", ACCESS.replication());

        assertThat(cluster.run(new ApplyAclFile(changed))).isEqualTo(new Applied());
        assertThat(cluster.view().aclFile()).contains(changed);
        assertThat(cluster.run(new ApplyDisruptionBudget(1))).isEqualTo(new Applied());
        assertThat(cluster.run(new ApplyDisruptionBudget(2))).isEqualTo(new Applied());
        assertThat(cluster.view().minAvailable()).hasValue(2);
    }

    @Test
    void marksAreSetWithoutTakingAwayOthers() throws Exception {
        TestCluster cluster = bed.cluster(port, "marks");
        CreateMember member = cluster.member("00001");
        cluster.run(member);
        var pod = bed.admin()
                .pods()
                .inNamespace(bed.namespace())
                .withName(member.name().value());
        pod.patch(MERGE, "{\"metadata\":{\"annotations\":{\"someone\":\"else\"}}}");
        String uid = cluster.pod(member).uid();
        MarkPod mark = new MarkPod(
                member.name(),
                uid,
                new TreeMap<>(Map.of("valkey.gomomento.com/role", "primary")),
                new TreeMap<>(Map.of("team", "shop")));

        assertThat(cluster.run(mark)).isEqualTo(new Applied());
        assertThat(cluster.pod(member).labels()).containsEntry("valkey.gomomento.com/role", "primary");
        assertThat(cluster.run(mark)).isEqualTo(new AlreadyDone());

        Pod marked = pod.get();
        assertThat(marked.getMetadata().getAnnotations())
                .containsEntry("someone", "else")
                .containsEntry("team", "shop");
        assertThat(cluster.run(new MarkPod(member.name(), "another-uid", mark.labels(), mark.annotations())))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void aRecordsStatusLeavesTheUtilizationAlone() throws Exception {
        TestCluster cluster = bed.cluster(port, "records");
        CreateMember member = cluster.member("00001");
        cluster.run(member);
        NodeRecord record = cluster.node(member);
        bed.custom(ValkeyKind.NODE)
                .withName(member.name().value())
                .subresource("status")
                .patch(MERGE, "{\"status\":{\"utilization\":{\"memoryUsedBytes\":42}}}");
        NodeRecord.Status status = new NodeRecord.Status(
                Lifecycle.ACTIVE,
                Optional.of(Role.PRIMARY),
                Optional.of("the pod's uid"),
                Optional.of("10.244.0.7"),
                Optional.of(new NodeId("0123456789abcdef0123456789abcdef01234567")));

        assertThat(cluster.run(new WriteRecordStatus(member.name(), record.uid(), status)))
                .isEqualTo(new Applied());
        assertThat(cluster.node(member).status()).isEqualTo(status);
        NodeRecord.Status leaving = new NodeRecord.Status(
                Lifecycle.LEAVING, Optional.empty(), status.podUid(), Optional.empty(), status.nodeId());
        assertThat(cluster.run(new WriteRecordStatus(member.name(), record.uid(), leaving)))
                .isEqualTo(new Applied());

        GenericKubernetesResource stored =
                bed.custom(ValkeyKind.NODE).withName(member.name().value()).get();
        assertThat(stored.<Integer>get("status", "utilization", "memoryUsedBytes"))
                .isEqualTo(42);
        assertThat(cluster.node(member).status()).isEqualTo(leaving);
    }

    @Test
    void deletesReachOnlyTheObjectThatWasMeant() throws Exception {
        TestCluster cluster = bed.cluster(port, "deletes");
        CreateMember member = cluster.member("00001");
        cluster.run(member);
        String podUid = cluster.pod(member).uid();
        String recordUid = cluster.node(member).uid();

        assertThat(cluster.run(new DeletePod(member.name(), "an-earlier-uid", 0)))
                .isEqualTo(new AlreadyDone());
        assertThat(cluster.view().pods()).containsKey(member.name());
        assertThat(cluster.run(new DeletePod(member.name(), podUid, 0))).isEqualTo(new Applied());
        assertThat(cluster.view().pods()).isEmpty();
        assertThat(cluster.run(new DeletePod(member.name(), podUid, 0))).isEqualTo(new AlreadyDone());
        assertThat(cluster.run(new DeleteRecord(member.name(), recordUid))).isEqualTo(new Applied());
        assertThat(cluster.view().records()).isEmpty();
        assertThat(cluster.run(new DeleteRecord(member.name(), recordUid))).isEqualTo(new AlreadyDone());
        Thread.sleep(500);
        assertThat(cluster.view().pods()).isEmpty();
        assertThat(cluster.view().records()).isEmpty();
    }

    @Test
    void aMemberThatLostItsPodIsNotGivenAnother() throws Exception {
        TestCluster cluster = bed.cluster(port, "lost");
        CreateMember member = cluster.member("00001");
        cluster.run(member);
        PodView pod = cluster.pod(member);
        NodeRecord record = cluster.node(member);
        NodeRecord.Status status = new NodeRecord.Status(
                Lifecycle.ACTIVE, Optional.empty(), Optional.of(pod.uid()), Optional.empty(), Optional.empty());
        cluster.run(new WriteRecordStatus(member.name(), record.uid(), status));
        assertThat(cluster.run(member)).isEqualTo(new AlreadyDone());

        cluster.run(new DeletePod(member.name(), pod.uid(), 0));

        assertThat(cluster.run(member))
                .isEqualTo(new Rejected("member lost-00001 has had its pod; a lost pod is replaced under a new name"));
        assertThat(cluster.view().pods()).isEmpty();
    }
}
