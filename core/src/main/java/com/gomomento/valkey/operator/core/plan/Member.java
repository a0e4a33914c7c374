package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Optional;

/**
 * One member as all sources show it.
 *
 * @param record its ValkeyNode
 * @param pod the pod of its name, if there is one
 * @param report what its server said
 * @param vitality how much of it there is, as the other three show it
 */
record Member(NodeRecord record, Optional<PodView> pod, NodeReport report, Vitality vitality) {

    /** Puts the sources together. */
    static Member of(NodeRecord record, Optional<PodView> pod, NodeReport report) {
        return new Member(record, pod, report, vitality(record, pod, report));
    }

    /** How much of the member there is. */
    enum Vitality {
        /** Written down, its pod not made yet. */
        PLANNED,
        /** Its pod exists, its server has not been heard. */
        STARTING,
        /** Its server answers. */
        LIVE,
        /** It was a full member and does not answer; its pod is not known to have ended. No evidence of death. */
        SILENT,
        /** Its pod has ended, is being deleted, or is gone: it never comes back. */
        LOST
    }

    NodeName name() {
        return record.name();
    }

    /** Whether the two are one: within one observation the name says it, and all the rest need not be compared. */
    boolean is(Member other) {
        return name().equals(other.name());
    }

    ShardId shard() {
        return record.shard();
    }

    int ordinal() {
        return record.ordinal();
    }

    /** Kubernetes is the only witness of death; silence alone never is. */
    private static Vitality vitality(NodeRecord record, Optional<PodView> pod, NodeReport report) {
        if (record.terminating()) {
            return Vitality.LOST;
        }
        if (pod.isEmpty()) {
            return record.status().podUid().isPresent() ? Vitality.LOST : Vitality.PLANNED;
        }
        PodView podView = pod.get();
        boolean anotherPod = record.status()
                .podUid()
                .filter(uid -> !uid.equals(podView.uid()))
                .isPresent();
        if (anotherPod || podView.finished() || podView.terminating()) {
            return Vitality.LOST;
        }
        if (report instanceof NodeReport.Reachable) {
            return Vitality.LIVE;
        }
        return record.status().nodeId().isPresent() ? Vitality.SILENT : Vitality.STARTING;
    }

    boolean live() {
        return vitality == Vitality.LIVE;
    }

    boolean lost() {
        return vitality == Vitality.LOST;
    }

    boolean silent() {
        return vitality == Vitality.SILENT;
    }

    /** Whether no process of it can be left: its pod has ended or is gone. A pod that is being deleted may still run. */
    boolean ended() {
        return lost() && pod.map(PodView::finished).orElse(true);
    }

    /** What its server said, if the member is live. */
    Optional<NodeReport.Reachable> answer() {
        return live() && report instanceof NodeReport.Reachable reachable ? Optional.of(reachable) : Optional.empty();
    }

    /** Its id: as its server says, else as last written down. */
    Optional<NodeId> nodeId() {
        return answer().map(NodeReport.Reachable::id).or(() -> record.status().nodeId());
    }

    /** The id of a member that answers. */
    NodeId liveId() {
        return answer().orElseThrow().id();
    }

    /** The release that its server says it is, if it answers. */
    Optional<ServerVersion> version() {
        try {
            return answer().map(answer -> ServerVersion.parse(answer.version()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Its role: as its server says, else as last written down. */
    Optional<Role> role() {
        return answer().map(NodeReport.Reachable::role).or(() -> record.status().role());
    }

    /** Whether it answers and owns slots in its own view. */
    boolean ownsSlots() {
        return answer().filter(
                        r -> r.role() == Role.PRIMARY && !r.self().slots().isEmpty())
                .isPresent();
    }

    /** Whether it answers, and answers clients too ({@code cluster_state:ok}). */
    boolean serves() {
        return answer().filter(NodeReport.Reachable::clusterOk).isPresent();
    }

    /** Whom it follows in its own view, if it answers and is a replica. */
    Optional<NodeId> follows() {
        return answer().flatMap(answer -> answer.self().primary());
    }

    /** Whether it answers and its link to the primary that it follows is up: its first sync is over. */
    boolean inSync() {
        return answer().flatMap(NodeReport.Reachable::replication)
                .filter(NodeReport.ReplicaLink::up)
                .isPresent();
    }

    /**
     * Whether it answers as a replica and has held a whole copy of its primary's data: it was in sync before, or has
     * received some of the stream, and is not being filled anew just now.
     */
    boolean holdsCopy() {
        return answer().filter(answer -> answer.role() == Role.REPLICA
                        && answer.replication()
                                .filter(link -> link.up() || !link.syncing())
                                .isPresent()
                        && (inSync()
                                || answer.offset().bytes() > 0
                                || record.status().lifecycle() == Lifecycle.ACTIVE))
                .isPresent();
    }
}
