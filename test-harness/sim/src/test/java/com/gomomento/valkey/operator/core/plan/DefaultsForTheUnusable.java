package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.observe.Observation;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/** Where the configuration that a cluster refers to is missing, defaults take its place, and all nodes roll to them. */
final class DefaultsForTheUnusable implements Planning {

    private static final Resources DEFAULTS = new Resources("1", "1Gi", 1L << 30);

    @Override
    public Plan plan(
            ClusterDeclaration declaration,
            Resolution resolution,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        Resolution used = switch (resolution) {
            case Resolution.Resolved resolved -> resolved;
            case Resolution.Unusable unusable ->
                ledger.lastGood()
                        .<Resolution>map(spec -> new Resolution.Resolved(defaults(spec)))
                        .orElse(unusable);
        };
        return Planner.plan(declaration, used, observation, published, ledger, now);
    }

    private static ClusterSpec defaults(ClusterSpec spec) {
        ServerSpec server = spec.server();
        return new ClusterSpec(
                spec.key(),
                spec.generation(),
                spec.shards(),
                spec.replicasPerShard(),
                new ServerSpec(server.image(), server.version(), DEFAULTS, new TreeMap<>()),
                spec.placement(),
                spec.acl(),
                spec.podAnnotations());
    }
}
