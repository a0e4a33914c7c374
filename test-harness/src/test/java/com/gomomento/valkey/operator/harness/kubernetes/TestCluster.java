package com.gomomento.valkey.operator.harness.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Present;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Snapshot;
import com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** One ValkeyCluster of a test's, as the port under test sees it. */
record TestCluster(Fabric8KubernetesPort port, ClusterKey key) {

    /** As it is seen now. */
    Present present() {
        return switch (port.observe(key)) {
            case Present present -> present;
            case Snapshot other -> throw new AssertionError(key + " is " + other);
        };
    }

    ClusterDeclaration declaration() {
        return present().declaration();
    }

    KubernetesView view() {
        return present().view();
    }

    /** A member's pod, which must be there. */
    PodView pod(CreateMember member) {
        return Optional.ofNullable(view().pods().get(member.name())).orElseThrow();
    }

    /** A member's record, which must be there. */
    NodeRecord node(CreateMember member) {
        return Optional.ofNullable(view().records().get(member.name())).orElseThrow();
    }

    ActionResult run(KubernetesAction action) {
        List<ActionResult> results = port.execute(declaration(), List.of(action));
        assertThat(results).hasSize(1);
        return results.getFirst();
    }

    /** A member of shard 0 on seat 0, which is small enough for any node. */
    CreateMember member(String suffix) {
        ServerSpec server = new ServerSpec(
                "docker.io/valkey/valkey:9.1.2",
                ServerVersion.parse("9.1.2"),
                new Resources("500m", "64Mi", 64L << 20),
                new TreeMap<>());
        ClusterSpec spec = new ClusterSpec(key, 1, 1, 0, server, Placement.ANYWHERE, List.of(), new TreeMap<>());
        return new CreateMember(
                name(suffix),
                new ShardId(0),
                0,
                Optional.empty(),
                spec,
                Fingerprint.of("template"),
                Fingerprint.of("access"));
    }

    NodeName name(String suffix) {
        return new NodeName(key.name() + "-" + suffix);
    }

    /** Waits until {@code condition} holds, for as long as a watch may take on a busy machine. */
    static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("gave up waiting: %s", what).isLessThan(end);
            Thread.sleep(20);
        }
    }
}
