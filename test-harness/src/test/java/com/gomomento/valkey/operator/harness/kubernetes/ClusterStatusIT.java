package com.gomomento.valkey.operator.harness.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.MarkFormed;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Gone;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Present;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Undecodable;
import com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The status of ValkeyClusters, and clusters that can't be read. */
class ClusterStatusIT extends SharedBed {

    @Test
    void aStatusIsWrittenOnlyIfItDiffersAndLeavesTheRestAlone() throws Exception {
        TestCluster cluster = bed.cluster(port, "told");
        cluster.run(new MarkFormed());
        Instant formed = cluster.declaration().formedAt().orElseThrow();
        ClusterStatus status = status("waits for its pods");

        assertThat(publish(cluster, Optional.empty(), status)).isEqualTo(new Applied());
        assertThat(cluster.present().published()).contains(status);
        String version = stored("told").getMetadata().getResourceVersion();
        assertThat(publish(cluster, Optional.of(status), status)).isEqualTo(new AlreadyDone());

        GenericKubernetesResource stored = stored("told");
        assertThat(stored.getMetadata().getResourceVersion()).isEqualTo(version);
        assertThat(stored.getMetadata().getGeneration()).isEqualTo(1);
        assertThat(stored.<String>get("status", "selector"))
                .isEqualTo("app.kubernetes.io/name=valkey,app.kubernetes.io/instance=told");
        assertThat(cluster.declaration().formedAt()).contains(formed);
        assertThat(publish(cluster, Optional.of(status), status(""))).isEqualTo(new Applied());
        assertThat(cluster.present().published()).contains(status(""));
    }

    /** Whoever decided from a status that has been replaced since does not replace the new one. */
    @Test
    void aLateOperatorDoesNotWriteOverTheStatusOfAnother() throws Exception {
        TestCluster cluster = bed.cluster(port, "late");
        Fabric8KubernetesPort second = bed.port();
        ClusterDeclaration declaration = cluster.declaration();
        ClusterStatus old = status("waits for its pods");
        assertThat(publish(cluster, Optional.empty(), old)).isEqualTo(new Applied());
        TestCluster.eventually(
                "the second has seen it",
                () -> second.observe(cluster.key()) instanceof Present present
                        && present.published().equals(Optional.of(old)));
        // The wish changes too, so that the version that the first one knows may be a late one.
        bed.custom(ValkeyKind.CLUSTER).withName("late").edit(it -> {
            it.getMetadata().setAnnotations(Map.of("shop/touched", "yes"));
            return it;
        });
        assertThat(second.publish(declaration, Optional.of(old), status("newer")))
                .isEqualTo(new Applied());

        assertThat(publish(cluster, Optional.of(old), status("late"))).isInstanceOf(Rejected.class);
        assertThat(publish(cluster, Optional.empty(), status("late"))).isInstanceOf(Rejected.class);

        assertThat(stored("late").<String>get("status", "message")).isEqualTo("newer");
        assertThat(publish(cluster, Optional.of(status("newer")), status("newest")))
                .isEqualTo(new Applied());
        assertThat(stored("late").<String>get("status", "message")).isEqualTo("newest");
    }

    private ActionResult publish(TestCluster cluster, Optional<ClusterStatus> observed, ClusterStatus status) {
        return port.publish(cluster.declaration(), observed, status);
    }

    @Test
    void ofTwoOperatorsOneFormsTheClusterAndTheTimeIsNeverMoved() throws Exception {
        TestCluster cluster = bed.cluster(port, "formed");
        Fabric8KubernetesPort second = bed.port();
        ClusterDeclaration unformed = cluster.declaration();
        List<Callable<ActionResult>> racers = new ArrayList<>();
        for (Fabric8KubernetesPort racer : List.of(port, second, port, second)) {
            racers.add(() -> racer.execute(unformed, List.of(new MarkFormed())).getFirst());
        }
        List<ActionResult> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<ActionResult> future : threads.invokeAll(racers)) {
                results.add(future.get());
            }
        }

        assertThat(results).containsOnlyOnce(new Applied()).hasSize(4);
        assertThat(results.stream().filter(new AlreadyDone()::equals)).hasSize(3);
        Instant formed = cluster.declaration().formedAt().orElseThrow();
        Thread.sleep(1100);
        assertThat(cluster.run(new MarkFormed())).isEqualTo(new AlreadyDone());
        assertThat(cluster.declaration().formedAt()).contains(formed);
    }

    @Test
    void aClusterThatWasDeletedAndMadeAnewIsAnotherOne() throws Exception {
        TestCluster cluster = bed.cluster(port, "twice");
        ClusterDeclaration first = cluster.declaration();
        bed.custom(ValkeyKind.CLUSTER).withName("twice").delete();
        TestCluster.eventually("it is gone", () -> port.observe(cluster.key()) instanceof Gone);
        bed.cluster(port, "twice");

        assertThat(port.publish(first, Optional.empty(), status("late"))).isInstanceOf(Rejected.class);
        assertThat(port.execute(first, List.of(new MarkFormed()))).first().isInstanceOf(Rejected.class);
        assertThat(cluster.declaration().formedAt()).isEmpty();
        assertThat(cluster.present().published()).isEmpty();
    }

    @Test
    void aMemberThatCannotBeReadStopsItsClusterAloneAndIsNamed() throws Exception {
        TestCluster good = bed.cluster(port, "good");
        TestCluster bad = bed.cluster(port, "bad");
        GenericKubernetesResource node = new GenericKubernetesResource();
        node.setApiVersion(ValkeyKind.API_VERSION);
        node.setKind(ValkeyKind.NODE.kind());
        node.setMetadata(new ObjectMetaBuilder()
                .withName("bad.name")
                .withNamespace(bed.namespace())
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(ValkeyKind.API_VERSION)
                        .withKind(ValkeyKind.CLUSTER.kind())
                        .withName("bad")
                        .withUid(bad.declaration().uid())
                        .withController(true)
                        .build())
                .build());
        node.setAdditionalProperty("spec", Map.of("clusterName", "bad", "shard", 0, "ordinal", 0));
        bed.admin().resource(node).create();

        TestCluster.eventually("it is noticed", () -> port.observe(bad.key()) instanceof Undecodable);

        assertThat(port.observe(bad.key()))
                .isEqualTo(new Undecodable("ValkeyNode bad.name: 'bad.name' is no name of a member"));
        assertThat(good.present().declaration().key()).isEqualTo(good.key());
        assertThat(bed.told())
                .filteredOn(entry -> entry.level() == Journal.Level.WARN)
                .anySatisfy(entry -> assertThat(entry.fields())
                        .containsEntry(
                                "object", "ValkeyNode.v1alpha1.valkey.gomomento.com/bad.name." + bed.namespace()));
        bed.admin().resource(node).delete();
        TestCluster.eventually("it heals", () -> port.observe(bad.key()) instanceof Present);
    }

    private GenericKubernetesResource stored(String name) {
        return bed.custom(ValkeyKind.CLUSTER).withName(name).get();
    }

    private static ClusterStatus status(String message) {
        return new ClusterStatus(
                ClusterState.CREATING,
                message,
                1,
                List.of(new ClusterStatus.Condition("Ready", false, "Creating", message)),
                0,
                List.of(new ClusterStatus.Node(
                        new NodeName("told-00001"), new ShardId(0), Optional.empty(), Lifecycle.JOINING, false)),
                0,
                1,
                0,
                Optional.of("9.1.2"),
                "told.shop.svc.cluster.local:6379");
    }
}
