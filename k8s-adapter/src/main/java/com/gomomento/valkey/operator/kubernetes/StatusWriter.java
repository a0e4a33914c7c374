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

    /**
     * Writes the status onto the version that is known, as long as that shows what was observed. A version that is no longer
     * the latest is read anew: mostly the user has changed the wish, and the status is as it was.
     */
    ActionResult publish(ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus status) {
        ObjectName name = ObjectName.of(owner.key());
        Optional<Cached<Readers.ClusterSeen>> current = known(owner);
        ActionResult last = gone(name);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (current.isEmpty()) {
                return gone(name);
            }
            Readers.ClusterSeen seen = current.get().value();
            if (seen.status().equals(Optional.of(status))) {
                return new ActionResult.AlreadyDone();
            }
            if (!seen.status().equals(observed)) {
                return new ActionResult.Rejected("another has written the status of ValkeyCluster " + name.name());
            }
            String version = current.get().resourceVersion();
            last = writer.merge(
                    ResourceKind.CLUSTER,
                    name,
                    STATUS,
                    new TreeMap<>(Map.of("uid", owner.uid(), "resourceVersion", version)),
                    Map.of("status", ResourceEncoder.clusterStatus(status, seen.resource(), clock.instant())));
            if (!(last instanceof ActionResult.Rejected)) {
                return last;
            }
            if (!(writer.fetch(ResourceKind.CLUSTER, name) instanceof Answer.Reply reply && reply.successful())) {
                return last;
            }
            current = known(owner);
            if (current.filter(now -> now.resourceVersion().equals(version)).isPresent()) {
                // It was refused for another reason.
                return last;
            }
        }
        return last;
    }

    private Optional<Cached<Readers.ClusterSeen>> known(ClusterDeclaration owner) {
        return mirror.clusters
                .get(ObjectName.of(owner.key()))
                .filter(cluster -> cluster.uid().equals(owner.uid()));
    }

    private static ActionResult gone(ObjectName name) {
        return new ActionResult.Rejected("ValkeyCluster " + name.name() + " is gone");
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
                return gone(name);
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
