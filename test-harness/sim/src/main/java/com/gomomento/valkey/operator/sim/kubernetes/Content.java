package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/** What an object holds beside its metadata. Values are compared by content: a write that changes nothing is none. */
public sealed interface Content {

    /**
     * A ValkeyCluster.
     *
     * @param wish its spec
     * @param generation counts changes of the wish, from 1
     * @param formedAt {@code status.formedAt}
     * @param status the rest of its status, once published
     */
    record Cluster(Wish wish, long generation, Optional<Instant> formedAt, Optional<ClusterStatus> status)
            implements Content {

        /** The same with another wish, which counts as a new generation if it differs. */
        public Cluster withWish(Wish other) {
            return other.equals(wish) ? this : new Cluster(other, generation + 1, formedAt, status);
        }

        Cluster withStatus(ClusterStatus other) {
            return new Cluster(wish, generation, formedAt, Optional.of(other));
        }

        Cluster withFormedAt(Instant at) {
            return new Cluster(wish, generation, Optional.of(at), status);
        }
    }

    /**
     * What a user asks for.
     *
     * @param config name of a ValkeyConfig
     * @param shards {@code spec.shards}
     * @param replicasPerShard {@code spec.replicasPerShard}
     * @param podAnnotations {@code spec.podAnnotations}
     * @param paused {@code spec.paused}
     */
    record Wish(
            String config, int shards, int replicasPerShard, SortedMap<String, String> podAnnotations, boolean paused) {

        /** Copies its map. */
        public Wish {
            podAnnotations = Check.sortedCopy(podAnnotations);
        }
    }

    /** A ValkeyNode. */
    record Node(ShardId shard, int ordinal, Optional<NodeName> replaces, NodeRecord.Status status) implements Content {}

    /**
     * A Pod.
     *
     * @param shard that it was made for
     * @param template fingerprint of its inputs
     * @param image of its container
     * @param version of the server in that image
     * @param hostname that its server announces
     * @param labels all
     * @param annotations all
     * @param state what scheduler and kubelet made of it
     */
    record Pod(
            ShardId shard,
            Fingerprint template,
            String image,
            String version,
            String hostname,
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations,
            PodState state)
            implements Content {

        /** Copies its maps. */
        public Pod {
            labels = Check.sortedCopy(labels);
            annotations = Check.sortedCopy(annotations);
        }

        Pod with(PodState other) {
            return new Pod(shard, template, image, version, hostname, labels, annotations, other);
        }

        Pod marked(SortedMap<String, String> otherLabels, SortedMap<String, String> otherAnnotations) {
            return new Pod(shard, template, image, version, hostname, otherLabels, otherAnnotations, state);
        }
    }

    /**
     * A Pod's status.
     *
     * @param phase its phase
     * @param ready condition Ready
     * @param machine the node that it is bound to
     * @param ip its address
     * @param trouble why it does not run
     * @param exit how it ended
     */
    record PodState(
            PodView.Phase phase,
            boolean ready,
            Optional<String> machine,
            Optional<String> ip,
            Optional<PodView.Trouble> trouble,
            Optional<PodView.Exit> exit) {

        static final PodState NEW = new PodState(
                PodView.Phase.PENDING, false, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        /** Whether its processes have ended for good. */
        public boolean finished() {
            return phase == PodView.Phase.FAILED || phase == PodView.Phase.SUCCEEDED;
        }

        PodState bound(String to) {
            return new PodState(phase, ready, Optional.of(to), ip, Optional.empty(), exit);
        }

        PodState troubled(PodView.Trouble by) {
            return new PodState(phase, ready, machine, ip, Optional.of(by), exit);
        }

        PodState running(String at) {
            return new PodState(PodView.Phase.RUNNING, false, machine, Optional.of(at), Optional.empty(), exit);
        }

        PodState ready(boolean now) {
            return new PodState(phase, now, machine, ip, trouble, exit);
        }

        PodState ended(PodView.Exit how) {
            boolean well = how.exitCode().equals(Optional.of(0));
            PodView.Phase end = well ? PodView.Phase.SUCCEEDED : PodView.Phase.FAILED;
            return new PodState(end, false, machine, ip, Optional.empty(), Optional.of(how));
        }
    }

    /** A Service; only whether it is there matters. */
    record Service() implements Content {}

    /** The ConfigMap with {@code valkey.conf}. */
    record ServerConfig(String file) implements Content {}

    /** The Secret with the internal users' passwords. */
    record Credentials(com.gomomento.valkey.operator.core.observe.Credentials passwords) implements Content {}

    /** The Secret that pods mount. */
    record Access(AclFile file) implements Content {}

    /** A PodDisruptionBudget. */
    record DisruptionBudget(int minAvailable) implements Content {}

    /** A ValkeyConfig. */
    record Config(Catalog.Config config) implements Content {}

    /** A ValkeyImage. */
    record Image(Catalog.Image image) implements Content {}
}
