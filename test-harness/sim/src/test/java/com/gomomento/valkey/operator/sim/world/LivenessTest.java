package com.gomomento.valkey.operator.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.sim.check.Goal;
import com.gomomento.valkey.operator.sim.check.Roster;
import com.gomomento.valkey.operator.sim.check.Truth;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** L4, L5 and L6: what the end of all faults, to which every seed comes, does not show. Times are virtual. */
class LivenessTest {

    private static final ClusterKey CACHE = new ClusterKey("shop", "cache");
    private static final int SHARDS = 3;
    private static final long STANDS_MILLIS = 40_000;
    private static final long STEP_MILLIS = 50;

    private final World world = new World(
            new Scenario(7, 1, 3, List.of(new Scenario.ClusterPlan(CACHE, "9.1.2", SHARDS, 1)), List.of(), 0), false);

    private final Goal goal = new Goal(world.truth());

    @BeforeEach
    void stands() {
        world.begin();
        world.timeline().passUntil(STANDS_MILLIS);
        assertThat(goal.firstGap()).isEmpty();
    }

    private Stored cluster() {
        return world.api().get(ObjectKey.cluster(CACHE)).orElseThrow();
    }

    private List<Roster.Instance> shard(int index) {
        return world.roster().existing(cluster().uid()).stream()
                .filter(process -> process.shard().index() == index)
                .toList();
    }

    private Roster.Instance replica(int shard) {
        return shard(shard).stream()
                .filter(process -> Truth.ownSlots(process.server()).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private void wishShards(int shards) {
        world.api().change(ObjectKey.cluster(CACHE), cluster().uid(), before -> {
            Content.Cluster content = (Content.Cluster) before;
            Content.Wish wish = content.wish();
            return new Content.Cluster(
                    new Content.Wish(
                            wish.config(), shards, wish.replicasPerShard(), wish.podAnnotations(), wish.paused()),
                    content.generation() + 1,
                    content.formedAt(),
                    content.status());
        });
    }

    /** Slots of shards beyond those that were there at the beginning. */
    private int slotsInNewShards() {
        return world.roster().existing(cluster().uid()).stream()
                .filter(process -> process.shard().index() >= SHARDS)
                .mapToInt(process -> Truth.ownSlots(process.server()).size())
                .sum();
    }

    private void passMillis(long millis) {
        world.timeline().passUntil(world.timeline().nowMillis() + millis);
    }

    @Test
    void l4AWishTakenBackInMidMigrationEndsAtTheNewestAndNoFurtherSlotMovesForTheOldOne() {
        wishShards(2 * SHARDS);
        long until = world.timeline().nowMillis() + 60_000;
        while (slotsInNewShards() == 0 && world.timeline().nowMillis() < until) {
            passMillis(STEP_MILLIS);
        }
        assertThat(slotsInNewShards()).isPositive();
        wishShards(SHARDS);
        // Moves that were under way may end as they were begun.
        passMillis(2_000);
        int most = slotsInNewShards();
        until = world.timeline().nowMillis() + 60_000;
        while (goal.firstGap().isPresent() && world.timeline().nowMillis() < until) {
            passMillis(STEP_MILLIS);
            assertThat(slotsInNewShards()).isLessThanOrEqualTo(most);
            most = slotsInNewShards();
        }
        assertThat(goal.firstGap()).isEmpty();
    }

    @Test
    void l5AServerThatStandsStillDelaysNoOtherShardAndIsNamed() {
        Roster.Instance frozen = replica(2);
        world.network().freeze(frozen.server());
        world.api().delete(replica(0).pod(), 0);
        boolean named = false;
        boolean replacedMeanwhile = false;
        for (int i = 0; i < 20_000 / STEP_MILLIS; i++) {
            passMillis(STEP_MILLIS);
            named |= cluster()
                    .cluster()
                    .status()
                    .filter(status -> status.message().contains(frozen.pod().name()))
                    .isPresent();
            replacedMeanwhile |= frozen.exists() && shard(0).size() == 2 && inSync(shard(0));
        }
        assertThat(named).isTrue();
        assertThat(replacedMeanwhile).isTrue();
    }

    private static boolean inSync(List<Roster.Instance> pair) {
        return pair.getFirst().server().inSyncWith(pair.getLast().server())
                || pair.getLast().server().inSyncWith(pair.getFirst().server());
    }

    @Test
    void l6ADeletedClusterGoesThoughNoServerOfItAnswers() {
        world.roster()
                .existing(cluster().uid())
                .forEach(process -> world.network().freeze(process.server()));
        passMillis(5_000);
        world.api().delete(ObjectKey.cluster(CACHE), 0);
        passMillis(60_000);
        assertThat(world.truth().clusters()).isEmpty();
        assertThat(goal.firstGap()).isEmpty();
    }
}
