package com.gomomento.valkey.operator.harness.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyServerConfig;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.ApplyService;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeletePod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.WriteRecordStatus;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort;
import com.gomomento.valkey.operator.kubernetes.WatchHealth;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is seen while watches lag, break, expire or are forbidden, and whom a change wakes. */
class WatchesIT {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private TestBed bed;
    private Gateway gateway;
    private Fabric8KubernetesPort port;

    @BeforeEach
    void open() throws Exception {
        bed = TestBed.open();
        gateway = bed.gateway();
        port = bed.port(gateway.config());
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void ownWritesAreSeenWhileTheWatchesTellNothing() throws Exception {
        TestCluster cluster = bed.cluster(port, "deaf");
        CreateMember member = cluster.member("00001");
        gateway.holdWatches();

        assertThat(cluster.run(new ApplyService())).isEqualTo(new Applied());
        assertThat(cluster.run(new ApplyServerConfig("port 6379\n"))).isEqualTo(new Applied());
        assertThat(cluster.run(new ApplyServerConfig("port 6380\n"))).isEqualTo(new Applied());
        assertThat(cluster.run(member)).isEqualTo(new Applied());
        assertThat(cluster.view().servicePresent()).isTrue();
        assertThat(cluster.view().serverConfig()).contains("port 6380\n");
        String uid = cluster.pod(member).uid();
        assertThat(cluster.run(new DeletePod(member.name(), uid, 0))).isEqualTo(new Applied());
        assertThat(cluster.view().pods()).isEmpty();

        gateway.releaseWatches();
        Thread.sleep(1000);
        assertThat(cluster.view().serverConfig()).contains("port 6380\n");
        assertThat(cluster.view().pods()).isEmpty();
        assertThat(cluster.view().records()).containsKey(member.name());
    }

    @Test
    void aLostAnswerIsUnknownAndTheSecondTryFindsItDone() throws Exception {
        TestCluster cluster = bed.cluster(port, "muted");
        gateway.holdWatches();
        gateway.loseAnswers(line -> line.startsWith("POST"));

        assertThat(cluster.run(new ApplyService())).isInstanceOf(Unknown.class);

        assertThat(cluster.view().servicePresent()).isFalse();
        gateway.loseAnswers(_ -> false);
        assertThat(cluster.run(new ApplyService())).isEqualTo(new AlreadyDone());
        assertThat(cluster.view().servicePresent()).isTrue();
        gateway.releaseWatches();
    }

    @Test
    void aStatusDoesNotReachAnotherNodeThatHasTakenTheNameOver() throws Exception {
        TestCluster cluster = bed.cluster(port, "swapped");
        CreateMember member = cluster.member("00001");
        cluster.run(member);
        String uid = cluster.node(member).uid();
        gateway.holdWatches();
        var nodes = bed.custom(ValkeyKind.NODE).withName(member.name().value());
        GenericKubernetesResource theirs = nodes.get();
        nodes.delete();
        theirs.getMetadata().setUid(null);
        theirs.getMetadata().setResourceVersion(null);
        bed.admin().resource(theirs).create();

        NodeRecord.Status joined = new NodeRecord.Status(
                Lifecycle.ACTIVE, Optional.empty(), Optional.of("pod"), Optional.empty(), Optional.empty());
        assertThat(cluster.run(new WriteRecordStatus(member.name(), uid, joined)))
                .isInstanceOf(Rejected.class);

        assertThat(nodes.get().getAdditionalProperties()).doesNotContainKey("status");
        gateway.releaseWatches();
    }

    @Test
    void cutWatchesGoOnFromWhereTheyWere() throws Exception {
        for (int round = 0; round < 3; round++) {
            gateway.cutWatches();
            bed.cluster(port, "cut-" + round);
        }
    }

    @Test
    void expiredHistoryIsListedAnew() throws Exception {
        TestCluster cluster = bed.cluster(port, "early");
        gateway.holdWatches();
        bed.custom(ValkeyKind.CLUSTER).withName("early").delete();
        bed.create(ValkeyKind.CLUSTER, bed.namespace(), "late", Map.of("configRef", "none", "shards", 1));
        gateway.expireHistory(true);
        gateway.cutWatches();
        gateway.releaseWatches();

        ClusterKey late = new ClusterKey(bed.namespace(), "late");
        TestCluster.eventually("what was missed is known", () -> port.clusters().contains(late));
        assertThat(port.clusters()).doesNotContain(cluster.key());
        bed.eventuallyWoken("late: object updated"::equals);
        gateway.expireHistory(false);
        bed.cluster(port, "later");
    }

    @Test
    void revokedRightsAreNoticedAndComeBack() throws Exception {
        gateway.refuse(line -> line.contains("/pods"));
        gateway.cutWatches();
        TestCluster.eventually(
                "the trouble is seen", () -> health("Pod").trouble().isPresent());
        assertThat(health("Pod").trouble()).contains("the gateway forbids it");
        assertThat(health("Pod").ended()).isFalse();
        TestCluster cluster = bed.cluster(port, "meanwhile");

        gateway.refuse(_ -> false);
        cluster.run(cluster.member("00001"));
        bed.admin()
                .pods()
                .inNamespace(bed.namespace())
                .withName("meanwhile-00001")
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"someone\":\"else\"}}}");
        bed.eventuallyWoken(wake -> wake.startsWith("meanwhile: related object updated: Pod.v1./meanwhile-00001."));
        TestCluster.eventually(
                "the trouble is over", () -> health("Pod").trouble().isEmpty());
    }

    @Test
    void anOwnedObjectWakesItsClusterAlone() throws Exception {
        TestCluster cluster = bed.cluster(port, "woken");
        bed.cluster(port, "asleep");
        cluster.run(new ApplyServerConfig("port 6379\n"));
        Thread.sleep(500);
        bed.wakes().clear();

        bed.admin()
                .configMaps()
                .inNamespace(bed.namespace())
                .withName("woken-config")
                .patch(MERGE, "{\"data\":{\"valkey.conf\":\"port 1\"}}");

        bed.eventuallyWoken(("woken: related object updated: ConfigMap.v1./woken-config." + bed.namespace())::equals);
        Thread.sleep(300);
        assertThat(bed.wakes()).hasSize(1);
    }

    @Test
    void aPodThatLosesOurLabelIsNeverOutOfSightAndGetsItBack() throws Exception {
        TestCluster cluster = bed.cluster(port, "stripped");
        CreateMember member = cluster.member("00001");
        cluster.run(member);
        String uid = cluster.pod(member).uid();
        var pod = bed.admin().pods().inNamespace(bed.namespace()).withName("stripped-00001");

        pod.patch(MERGE, "{\"metadata\":{\"labels\":{\"app.kubernetes.io/managed-by\":null}}}");

        TestCluster.eventually("it has its label again", () -> {
            assertThat(cluster.pod(member).uid()).isEqualTo(uid);
            return "valkey-operator".equals(pod.get().getMetadata().getLabels().get("app.kubernetes.io/managed-by"));
        });
        pod.withGracePeriod(0).delete();
        TestCluster.eventually("its end is seen", () -> cluster.view().pods().isEmpty());
    }

    @Test
    void aPodThatLostOurLabelWhileNobodyWatchedIsFoundByItsRecord() throws Exception {
        TestCluster cluster = bed.cluster(port, "unwatched");
        CreateMember member = cluster.member("00001");
        cluster.run(member);
        String uid = cluster.pod(member).uid();
        NodeRecord.Status joined = new NodeRecord.Status(
                Lifecycle.ACTIVE, Optional.empty(), Optional.of(uid), Optional.empty(), Optional.empty());
        cluster.run(new WriteRecordStatus(member.name(), cluster.node(member).uid(), joined));
        port.close();
        bed.admin()
                .pods()
                .inNamespace(bed.namespace())
                .withName("unwatched-00001")
                .patch(MERGE, "{\"metadata\":{\"labels\":{\"app.kubernetes.io/managed-by\":null}}}");

        TestCluster again = new TestCluster(bed.port(), cluster.key());

        assertThat(again.pod(member).uid()).isEqualTo(uid);
    }

    @Test
    void aChangeThatNobodyCanSeeWakesNobody() throws Exception {
        bed.cluster(port, "quiet");
        Thread.sleep(500);
        bed.wakes().clear();

        bed.custom(ValkeyKind.CLUSTER)
                .withName("quiet")
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"of\":\"no matter\"}}}");
        bed.cluster(port, "marker");

        assertThat(bed.wakes()).noneMatch(wake -> wake.startsWith("quiet"));
    }

    @Test
    void theCatalogWakesThoseWhoUseItEvenThroughBases() throws Exception {
        String suffix = TestBed.hex();
        String base = "base-" + suffix;
        String child = "child-" + suffix;
        String image = "image-" + suffix;
        bed.create(ValkeyKind.CONFIG, "", base, Map.of("imageRef", image));
        bed.create(ValkeyKind.CONFIG, "", child, Map.of("baseRef", base));
        bed.cluster(port, bed.namespace(), "user", child);
        bed.cluster(port, bed.namespace(), "bystander", "none");
        Thread.sleep(500);
        bed.wakes().clear();

        bed.create(
                ValkeyKind.IMAGE,
                "",
                image,
                Map.of("repository", "docker.io/valkey/valkey", "tag", "9.1.2", "version", "9.1.2"));
        bed.eventuallyWoken(
                ("user: related object updated: ValkeyImage.v1alpha1.valkey.gomomento.com/" + image)::equals);
        bed.admin()
                .genericKubernetesResources(ValkeyKind.API_VERSION, ValkeyKind.CONFIG.kind())
                .withName(base)
                .patch(MERGE, "{\"spec\":{\"valkey\":{\"maxmemory-policy\":\"allkeys-lru\"}}}");
        bed.eventuallyWoken(
                ("user: related object updated: ValkeyConfig.v1alpha1.valkey.gomomento.com/" + base)::equals);
        assertThat(bed.wakes()).noneMatch(wake -> wake.startsWith("bystander"));
    }

    private WatchHealth health(String kind) {
        return port.health().stream()
                .filter(health -> health.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
