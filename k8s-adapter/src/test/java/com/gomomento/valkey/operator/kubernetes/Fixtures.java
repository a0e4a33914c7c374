package com.gomomento.valkey.operator.kubernetes;

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
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A cluster that the tests of this package share. */
final class Fixtures {

    static final ClusterKey KEY = new ClusterKey("shop", "orders");

    private Fixtures() {}

    static ClusterDeclaration declaration() {
        return new ClusterDeclaration(
                KEY,
                "1f0c9a52-0000-4000-8000-000000000001",
                1,
                false,
                Optional.empty(),
                "production",
                3,
                1,
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                new TreeMap<>(),
                List.of(),
                new TreeMap<>(),
                false);
    }

    static CreateMember member(Placement placement, Map<String, String> podAnnotations) {
        ServerSpec server = new ServerSpec(
                "docker.io/valkey/valkey:9.1.2",
                ServerVersion.parse("9.1.2"),
                new Resources("500m", "1Gi", 1L << 30),
                new TreeMap<>());
        ClusterSpec spec = new ClusterSpec(KEY, 1, 3, 1, server, placement, List.of(), new TreeMap<>(podAnnotations));
        return new CreateMember(
                new NodeName("orders-3f9a1"),
                new ShardId(2),
                1,
                Optional.of(new NodeName("orders-00b7c")),
                spec,
                Fingerprint.of("template"),
                Fingerprint.of("access"));
    }
}
