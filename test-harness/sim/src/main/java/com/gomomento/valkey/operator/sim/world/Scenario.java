package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import java.util.List;
import java.util.Optional;

/**
 * Everything that decides how a world runs. Equal scenarios give equal histories.
 *
 * @param seed of all chance
 * @param operators that run at once, 1 or more
 * @param machines that pods can be put on
 * @param clusters that users ask for at the beginning
 * @param happenings in the order of their time
 * @param healMillis when all faults end for good
 * @param probe a disturbance at an exact step; usually none
 */
public record Scenario(
        long seed,
        int operators,
        int machines,
        List<ClusterPlan> clusters,
        List<Happening> happenings,
        long healMillis,
        Optional<Probe> probe) {

    /** Copies its lists. */
    public Scenario {
        clusters = List.copyOf(clusters);
        happenings = List.copyOf(happenings);
    }

    /**
     * A cluster as it is first asked for.
     *
     * @param key its name
     * @param version of its servers
     * @param shards {@code spec.shards}
     * @param replicas {@code spec.replicasPerShard}
     */
    public record ClusterPlan(ClusterKey key, String version, int shards, int replicas) {}

    /** As above, without a probe. */
    public Scenario(
            long seed,
            int operators,
            int machines,
            List<ClusterPlan> clusters,
            List<Happening> happenings,
            long healMillis) {
        this(seed, operators, machines, clusters, happenings, healMillis, Optional.empty());
    }

    /** The same without some of its happenings. */
    public Scenario with(List<Happening> others) {
        return new Scenario(seed, operators, machines, clusters, others, healMillis, probe);
    }

    /** The same with a probe. */
    public Scenario with(Probe other) {
        return new Scenario(seed, operators, machines, clusters, happenings, healMillis, Optional.of(other));
    }
}
