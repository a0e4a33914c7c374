package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One Pod that this cluster's UID owns.
 *
 * @param name the pod's name, which is its member's name
 * @param uid {@code metadata.uid}
 * @param shard from the label {@code valkey.gomomento.com/shard}
 * @param phase {@code status.phase}
 * @param ready whether the condition Ready is True
 * @param terminating whether {@code metadata.deletionTimestamp} is set
 * @param ip {@code status.podIP}
 * @param createdAt {@code metadata.creationTimestamp}
 * @param template fingerprint of the inputs that it was made from, from its annotation or, if it has none, as it shows them:
 *     {@link com.gomomento.valkey.operator.core.plan.ServerConfig#shown(String, String, String,
 *     com.gomomento.valkey.operator.core.model.Placement)}
 * @param image of its container
 * @param trouble why it is not running, in Kubernetes' own words
 * @param exit how its container ended, if it did
 * @param labels all labels
 * @param annotations all annotations
 */
public record PodView(
        NodeName name,
        String uid,
        ShardId shard,
        Phase phase,
        boolean ready,
        boolean terminating,
        Optional<String> ip,
        Instant createdAt,
        Optional<Fingerprint> template,
        String image,
        Optional<Trouble> trouble,
        Optional<Exit> exit,
        SortedMap<String, String> labels,
        SortedMap<String, String> annotations) {

    /** Copies its maps. */
    public PodView {
        Check.notBlank("uid", uid);
        labels = Check.sortedCopy(labels);
        annotations = Check.sortedCopy(annotations);
    }

    /** Whether its processes have ended for good: {@code restartPolicy: Never} makes these phases final. */
    public boolean finished() {
        return phase == Phase.FAILED || phase == Phase.SUCCEEDED;
    }

    /** Kubernetes' pod phases. */
    public enum Phase {
        /** Accepted, not all containers running. */
        PENDING,
        /** Bound, its container running. */
        RUNNING,
        /** Ended with exit code 0. */
        SUCCEEDED,
        /** Ended otherwise, or evicted. */
        FAILED,
        /** Its node can't be asked. */
        UNKNOWN
    }

    /** What keeps a pod from running. */
    public sealed interface Trouble {

        /** Kubernetes' own words. */
        String message();
    }

    /** The scheduler found no node: the message of condition {@code PodScheduled=False}. */
    public record Unschedulable(String message) implements Trouble {}

    /** The kubelet can't start the container: its waiting reason ({@code ErrImagePull} ...) and message. */
    public record Waiting(String reason, String message) implements Trouble {}

    /**
     * How a pod ended.
     *
     * @param reason the container's or, if there is none, the pod's: {@code Error}, {@code OOMKilled}, {@code Evicted},
     *     {@code Completed} ...
     * @param exitCode of the container; empty if it never ran
     * @param message the last lines of its log, or the kubelet's reason
     */
    public record Exit(String reason, Optional<Integer> exitCode, String message) {}
}
