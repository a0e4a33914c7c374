package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.world.Scenario.ClusterPlan;
import com.gomomento.valkey.operator.sim.world.ServerWish.Poison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Users who change their minds. */
final class Wishes {

    private static final String NO_SUCH_CONFIG = "no-such-config";

    private final World world;
    private final List<Runnable> corrections = new ArrayList<>();
    private final Map<String, ServerWish> servers = new TreeMap<>();

    Wishes(World world) {
        this.world = world;
    }

    /** Nothing stays paused or unusable, and no cluster stays deleted that was to come back. */
    void settle() {
        corrections.forEach(Runnable::run);
        corrections.clear();
    }

    void change(Happening.Kind kind, Dice dice) {
        ClusterPlan plan = dice.pick(world.scenario().clusters());
        Optional<Stored> found = world.api().get(ObjectKey.cluster(plan.key()));
        if (found.isEmpty()) {
            return;
        }
        Stored cluster = found.get();
        switch (kind) {
            case WISH_ANNOTATION -> {
                SortedMap<String, String> annotations = new TreeMap<>();
                annotations.put("team", "team-" + dice.below(5));
                wish(
                        cluster,
                        "annotations " + annotations,
                        wish -> new Content.Wish(
                                wish.config(), wish.shards(), wish.replicasPerShard(), annotations, wish.paused()));
            }
            case WISH_PAUSE -> {
                wish(cluster, "pause", wish -> paused(wish, true));
                later(dice, cluster, "no pause", wish -> paused(wish, false));
            }
            case WISH_INVALID -> {
                wish(cluster, "a ValkeyConfig that does not exist", wish -> config(wish, NO_SUCH_CONFIG));
                later(dice, cluster, "its ValkeyConfig again", wish -> config(wish, World.config(plan.version())));
            }
            case WISH_DELETE -> delete(plan, dice);
            case WISH_REPLICAS -> {
                int replicas = dice.below(3);
                wish(
                        cluster,
                        replicas + " replicas a shard",
                        wish -> new Content.Wish(
                                wish.config(), wish.shards(), replicas, wish.podAnnotations(), wish.paused()));
            }
            case WISH_SHARDS -> {
                int shards = shards(dice);
                wish(
                        cluster,
                        shards + " shards",
                        wish -> new Content.Wish(
                                wish.config(), shards, wish.replicasPerShard(), wish.podAnnotations(), wish.paused()));
            }
            case WISH_POISON -> {
                Poison poison = dice.chance(500) ? Poison.NAME : Poison.VALUE;
                servers(plan, "poisons", wish -> wish.anotherAtStart().with(poison));
                correct(plan, dice);
            }
            case WISH_DIRECTIVE -> {
                boolean unusable = dice.chance(250);
                servers(
                        plan,
                        unusable ? "spoils" : "changes at run time",
                        wish -> unusable ? wish.with(Poison.VALUE) : wish.anotherLive());
                if (unusable) {
                    correct(plan, dice);
                }
            }
            default -> servers(plan, "changes", ServerWish::anotherAtStart);
        }
    }

    private static int shards(Dice dice) {
        return 1 + dice.below(5);
    }

    /** How many shards a happening with this salt asks for, where there is one cluster. */
    static int shardsFor(long salt) {
        Dice dice = new Dice(salt);
        dice.below(1);
        return shards(dice);
    }

    /** What is wrong is put right later, once. */
    private void correct(ClusterPlan plan, Dice dice) {
        boolean[] corrected = new boolean[1];
        Runnable correction = () -> {
            if (!corrected[0]) {
                corrected[0] = true;
                servers(plan, "corrects", wish -> wish.with(Poison.NONE));
            }
        };
        corrections.add(correction);
        world.timeline().after(dice.between(2_000, 25_000), correction);
    }

    private void servers(ClusterPlan plan, String verb, UnaryOperator<ServerWish> how) {
        ServerWish wish = how.apply(servers.getOrDefault(plan.version(), ServerWish.FIRST));
        servers.put(plan.version(), wish);
        ObjectKey key = ObjectKey.catalog(
                com.gomomento.valkey.operator.sim.kubernetes.Kind.CONFIG, World.config(plan.version()));
        world.trace().tell("user", verb + " ValkeyConfig " + key.name());
        world.api()
                .get(key)
                .ifPresent(config -> world.api().change(key, config.uid(), _ -> World.configOf(plan.version(), wish)));
    }

    private void delete(ClusterPlan plan, Dice dice) {
        world.trace().tell("user", "deletes ValkeyCluster " + plan.key());
        world.api().delete(ObjectKey.cluster(plan.key()), 0);
        if (dice.chance(700)) {
            Runnable again = () -> {
                if (world.api().get(ObjectKey.cluster(plan.key())).isEmpty()) {
                    world.ask(plan);
                }
            };
            corrections.add(again);
            world.timeline().after(dice.between(0, 5_000), again);
        }
    }

    private void later(Dice dice, Stored cluster, String what, UnaryOperator<Content.Wish> how) {
        Runnable correction = () -> wish(cluster, what, how);
        corrections.add(correction);
        world.timeline().after(dice.between(500, 20_000), correction);
    }

    private void wish(Stored cluster, String what, UnaryOperator<Content.Wish> how) {
        world.trace().tell("user", "wishes for " + cluster.key().name() + ": " + what);
        world.api().change(cluster.key(), cluster.uid(), content -> {
            Content.Cluster now = (Content.Cluster) content;
            return now.withWish(how.apply(now.wish()));
        });
    }

    private static Content.Wish paused(Content.Wish wish, boolean paused) {
        return new Content.Wish(wish.config(), wish.shards(), wish.replicasPerShard(), wish.podAnnotations(), paused);
    }

    private static Content.Wish config(Content.Wish wish, String config) {
        return new Content.Wish(config, wish.shards(), wish.replicasPerShard(), wish.podAnnotations(), wish.paused());
    }
}
