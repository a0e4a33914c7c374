package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceEncoder;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes the status of ValkeyClusters, through the subresource, so that the spec can't be touched by mistake. */
final class StatusWriter {

    private static final String STATUS = "/status";

    /** More than one loser in a row means that somebody writes all the time; the next round comes soon enough. */
    private static final int ATTEMPTS = 3;

    private final OwnedWriter writer;
    private final Mirror mirror;
    private final InstantSource clock;

    StatusWriter(OwnedWriter writer, Mirror mirror, InstantSource clock) {
        this.writer = writer;
        this.mirror = mirror;
        this.clock = clock;
    }

    ActionResult publish(ClusterDeclaration owner, ClusterStatus status) {
        ObjectName name = ObjectName.of(owner.key());
        Optional<Cached<Readers.ClusterSeen>> current =
                mirror.clusters.get(name).filter(cluster -> cluster.uid().equals(owner.uid()));
        if (current.isEmpty()) {
            return new ActionResult.Rejected("ValkeyCluster " + name.name() + " is gone");
        }
        Readers.ClusterSeen seen = current.get().value();
        if (seen.status().equals(Optional.of(status))) {
            return new ActionResult.AlreadyDone();
        }
        return writer.merge(
                ResourceKind.CLUSTER,
                name,
                STATUS,
                new TreeMap<>(Map.of("uid", owner.uid())),
                Map.of("status", ResourceEncoder.clusterStatus(status, seen.resource(), clock.instant())));
    }

    /**
     * Sets {@code formedAt} if there is none. Read past the mirror, and written only onto the version that was read: of two
     * writers one wins, and the other finds the winner's time.
     */
    ActionResult markFormed(ClusterDeclaration owner) {
        ObjectName name = ObjectName.of(owner.key());
        ActionResult last = new ActionResult.Rejected("ValkeyCluster " + name.name() + " changes all the time");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Answer answer = writer.fetch(ResourceKind.CLUSTER, name);
            if (!(answer instanceof Answer.Reply reply) || !reply.successful()) {
                return answer.asResult();
            }
            if (!reply.body().uid().equals(owner.uid())) {
                return new ActionResult.Rejected("ValkeyCluster " + name.name() + " is gone");
            }
            if (reply.body().at("status").has("formedAt")) {
                return new ActionResult.AlreadyDone();
            }
            SortedMap<String, Object> guard = new TreeMap<>(
                    Map.of("uid", owner.uid(), "resourceVersion", reply.body().resourceVersion()));
            last = writer.merge(
                    ResourceKind.CLUSTER,
                    name,
                    STATUS,
                    guard,
                    Map.of("status", ResourceEncoder.formed(clock.instant())));
            if (!(last instanceof ActionResult.Rejected)) {
                return last;
            }
        }
        return last;
    }
}
