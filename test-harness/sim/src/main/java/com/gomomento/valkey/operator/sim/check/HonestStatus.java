package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * S18: a status turns Active only if shortly before the cluster was in truth as its user wishes. Shortly, because between an
 * observation and the write that tells of it lie calls that may take their full time.
 */
public final class HonestStatus extends Invariant {

    private static final long SHORTLY_MILLIS = 25_000;
    private static final long EVERY_MILLIS = 500;

    private final Goal goal;
    private final Map<String, Long> lastGoodMillis = new TreeMap<>();
    private long nextMillis;

    /** Looks at these models. */
    public HonestStatus(Truth truth) {
        super("S18 Honest status", truth);
        this.goal = new Goal(truth);
    }

    @Override
    public void moment() {
        if (truth().timeline().nowMillis() >= nextMillis) {
            nextMillis = truth().timeline().nowMillis() + EVERY_MILLIS;
            truth().clusters().forEach(this::note);
        }
    }

    /** A fault may end in this moment what an operator has seen in the last. */
    @Override
    public void ending(Roster.Instance instance) {
        truth().cluster(instance.clusterUid()).ifPresent(this::note);
    }

    private void note(Stored cluster) {
        if (members(cluster).isEmpty()) {
            lastGoodMillis.put(key(cluster), truth().timeline().nowMillis());
        }
    }

    /** What an operator could not have overlooked. ValkeyNodes are its own notes, and are written in the same step. */
    private Optional<String> members(Stored cluster) {
        return goal.gapOfServers(cluster);
    }

    /** Pausing asks for no other members, so what held before it holds after. */
    private static String key(Stored cluster) {
        Content.Wish wish = cluster.cluster().wish();
        return cluster.uid() + "/" + wish.config() + "/" + wish.shards() + "/" + wish.replicasPerShard() + "/"
                + wish.podAnnotations();
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        if (after.key().kind() != Kind.CLUSTER) {
            // Whoever writes has just looked, maybe for the first time at a new wish.
            after.owner().flatMap(truth()::cluster).ifPresent(this::note);
            return;
        }
        Optional<ClusterStatus> status = after.cluster().status();
        Optional<ClusterStatus> earlier = before.cluster().status();
        boolean turned = status.filter(HonestStatus::active).isPresent()
                && (earlier.filter(HonestStatus::active).isEmpty()
                        || earlier.get().observedGeneration() != status.get().observedGeneration());
        if (!turned) {
            return;
        }
        ClusterStatus said = status.orElseThrow();
        check(
                said.observedGeneration() <= after.cluster().generation(),
                "a status speaks of generation " + said.observedGeneration() + ", which is yet to come");
        if (said.observedGeneration() < after.cluster().generation()) {
            return;
        }
        note(after);
        long lastGood = lastGoodMillis.getOrDefault(key(after), Long.MIN_VALUE / 2);
        check(
                truth().timeline().nowMillis() - lastGood <= SHORTLY_MILLIS,
                after.key() + " is called Active, and in truth: "
                        + members(after).orElse("nothing is wrong"));
    }

    static boolean active(ClusterStatus status) {
        return status.state() == ClusterState.ACTIVE;
    }
}
