package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.WriteRecordStatus;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceEncoder;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes statuses, through the subresource, so that the spec can't be touched by mistake. Of a custom resource, the API server
 * takes no notice of the UID in a patch of the status. So each write names the version that is known of the object with that
 * UID: another object of the same name never had it.
 */
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
        ActionResult last = gone(ResourceKind.CLUSTER, name);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (current.isEmpty()) {
                return gone(ResourceKind.CLUSTER, name);
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

    /** Writes a ValkeyNode's status onto the version that is known of it. */
    ActionResult writeRecord(ObjectName name, WriteRecordStatus node) {
        ActionResult last = gone(ResourceKind.NODE, name);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<String> version = versionOf(name, node.uid());
            if (version.isEmpty()) {
                return gone(ResourceKind.NODE, name);
            }
            last = writer.merge(
                    ResourceKind.NODE,
                    name,
                    STATUS,
                    new TreeMap<>(Map.of("uid", node.uid(), "resourceVersion", version.get())),
                    Map.of("status", ResourceEncoder.nodeStatus(node.status())));
            boolean seen = last instanceof ActionResult.Rejected
                    && writer.fetch(ResourceKind.NODE, name) instanceof Answer.Reply reply
                    && reply.successful();
            if (!seen || version.equals(versionOf(name, node.uid()))) {
                return last;
            }
        }
        return last;
    }

    private Optional<String> versionOf(ObjectName node, String uid) {
        return mirror.nodes.get(node).filter(seen -> seen.uid().equals(uid)).map(Cached::resourceVersion);
    }

    private Optional<Cached<Readers.ClusterSeen>> known(ClusterDeclaration owner) {
        return mirror.clusters
                .get(ObjectName.of(owner.key()))
                .filter(cluster -> cluster.uid().equals(owner.uid()));
    }

    private static ActionResult gone(ResourceKind kind, ObjectName name) {
        return new ActionResult.Rejected(kind.kind() + " " + name.name() + " is gone");
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
                return gone(ResourceKind.CLUSTER, name);
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
