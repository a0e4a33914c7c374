package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Members are replaced, one at a time, the new one first. */
class RollTest {

    private static final String OLD = "00000000000000aa";

    private static Scene outdated(int shards, int replicas) {
        Scene scene = Scene.active(shards, replicas);
        scene.nodes.forEach(node -> node.template = Optional.of(OLD));
        return scene;
    }

    private static SceneNode successor(Scene scene, SceneNode old) {
        SceneNode node = scene.add(old.shard, old.ordinal);
        node.replaces = Optional.of(old.name);
        return node;
    }

    @Test
    void oneReplicaOfOneShardIsReplacedFirst() {
        Scene scene = outdated(3, 1);
        Plan plan = scene.plan();

        KubernetesAction.CreateMember created = only(plan, KubernetesAction.CreateMember.class);
        assertThat(created.replaces()).hasValue(scene.node(0, 1).name);
        assertThat(created.ordinal()).isEqualTo(1);
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
        assertThat(plan.status().message()).contains("0 of 6 nodes run the wished image");
    }

    @Test
    void theOldOneStaysUntilTheNewOneIsInSyncAndNothingElseIsTouched() {
        Scene scene = outdated(3, 1);
        SceneNode old = scene.node(0, 1);
        SceneNode fresh = successor(scene, old).joinedUnder(scene.node(0, 0));
        fresh.linkUp = false;
        assertThat(scene.plan().actions()).noneMatch(KubernetesAction.DeletePod.class::isInstance);
        assertThat(actions(scene.plan(), KubernetesAction.CreateMember.class)).isEmpty();

        fresh.linkUp = true;
        Plan plan = scene.plan();
        assertThat(only(plan, KubernetesAction.DeletePod.class).name()).isEqualTo(old.name);
        assertThat(actions(plan, ValkeyAction.Failover.class)).isEmpty();
    }

    @Test
    void aPrimaryHandsOverBeforeItGoesAlsoWithoutReplicas() {
        Scene scene = outdated(2, 0);
        SceneNode old = scene.node(0, 0);
        SceneNode fresh = successor(scene, old).joinedUnder(old);
        Plan plan = scene.plan();

        ValkeyAction.Failover failover = only(plan, ValkeyAction.Failover.class);
        assertThat(failover.node()).isEqualTo(fresh.name);
        assertThat(failover.primary()).isEqualTo(old.id);
        assertThat(failover.mode()).isEqualTo(ValkeyAction.Failover.Mode.GRACEFUL);
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();

        handOver(old, fresh);
        assertThat(only(scene.plan(), KubernetesAction.DeletePod.class).name()).isEqualTo(old.name);
    }

    /** Found by the simulator: a replica that had not heard of all its primary's slots was elected, and got only some. */
    @Test
    void aReplacedPrimaryThatKeptSlotsIsDrainedBeforeItGoes() {
        Scene scene = outdated(2, 0);
        SceneNode old = scene.node(0, 0);
        SceneNode fresh = successor(scene, old).joinedUnder(old);
        SlotSet all = old.slots;
        handOver(old, fresh);
        fresh.slots = all.first(4);
        old.follows = Optional.empty();
        old.slots = all.minus(fresh.slots);
        Plan plan = scene.plan();

        ValkeyAction.MoveSlots move = only(plan, ValkeyAction.MoveSlots.class);
        assertThat(move.node()).isEqualTo(old.name);
        assertThat(move.target().name()).isEqualTo(fresh.name);
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
    }

    private static void handOver(SceneNode old, SceneNode fresh) {
        fresh.slots = old.slots;
        fresh.follows = Optional.empty();
        fresh.epoch = 99;
        old.slots = SlotSet.EMPTY;
        old.follows = Optional.of(fresh);
    }

    @Test
    void aShardIsHandedOverOnlyOnceTheFormerPrimaryOfTheLastOneHasFoundItsPlace() {
        Scene scene = outdated(2, 0);
        SceneNode old = scene.node(0, 0);
        SceneNode fresh = successor(scene, old).joinedUnder(old);
        SceneNode other = scene.node(1, 0);
        successor(scene, other).joinedUnder(other);
        handOver(old, fresh);
        old.linkUp = false;
        assertThat(actions(scene.plan(), ValkeyAction.Failover.class)).isEmpty();

        old.linkUp = true;
        assertThat(only(scene.plan(), ValkeyAction.Failover.class).primary()).isEqualTo(other.id);
    }

    @Test
    void ofReplicasInSyncTheOneThatHasMostSucceeds() {
        Scene scene = outdated(1, 1);
        SceneNode replica = scene.node(0, 1);
        replica.template = Optional.empty();
        replica.offset = 500;
        SceneNode old = scene.node(0, 0);
        successor(scene, old).joinedUnder(old).offset = 400;

        assertThat(only(scene.plan(), ValkeyAction.Failover.class).node()).isEqualTo(replica.name);
    }

    @Test
    void aFailoverThatWasGivenIsNotGivenAgainAtOnce() {
        Scene scene = outdated(1, 0);
        SceneNode old = scene.node(0, 0);
        successor(scene, old).joinedUnder(old);
        ValkeyAction.Failover failover = only(scene.planAndRemember(), ValkeyAction.Failover.class);
        scene.ledger = scene.ledger.withResults(
                new TreeMap<>(), Map.of(failover.key(), Scene.NOW.plus(failover.settles())), Map.of());

        Plan waiting = scene.planAndRemember();
        assertThat(actions(waiting, ValkeyAction.Failover.class)).isEmpty();
        scene.now = Scene.NOW.plus(Duration.ofSeconds(5));
        assertThat(actions(scene.plan(), ValkeyAction.Failover.class)).hasSize(1);
    }

    @Test
    void aSuccessorThatWasJustToldToTakeOverStaysThoughTheChangeIsTakenBack() {
        Scene scene = Scene.active(1, 0);
        SceneNode old = scene.node(0, 0);
        SceneNode fresh = successor(scene, old).joinedUnder(old);
        fresh.template = Optional.of("00c0ffee00c0ffee");
        assertThat(only(scene.plan(), KubernetesAction.DeletePod.class).name()).isEqualTo(fresh.name);

        scene.ledger = scene.ledger.withResults(
                new TreeMap<>(), Map.of(ValkeyAction.Failover.key(fresh.name), Scene.NOW.plusSeconds(5)), Map.of());
        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class)).isEmpty();
        scene.now = Scene.NOW.plusSeconds(5);
        assertThat(only(scene.plan(), KubernetesAction.DeletePod.class).name()).isEqualTo(fresh.name);
    }

    @Test
    void aChangeTakenBackHalfWayKeepsTheOldOneAndRemovesTheNew() {
        Scene scene = Scene.active(1, 1);
        SceneNode fresh = successor(scene, scene.node(0, 1));
        fresh.template = Optional.of(OLD);
        fresh.noted = false;
        fresh.answers = false;

        Plan plan = scene.plan();
        assertThat(only(plan, KubernetesAction.DeletePod.class).name()).isEqualTo(fresh.name);
    }

    @Test
    void aSuccessorThatCantRunIsTriedAgainLaterAndLaterAndTheOldOneServesOn() {
        Scene scene = outdated(1, 1);
        SceneNode fresh = successor(scene, scene.node(0, 1));
        fresh.createdAt = Scene.NOW;
        fresh.noted = false;
        fresh.died("Error", 1, "*** FATAL CONFIG FILE ERROR ***\nBad directive");
        assertThat(actions(scene.planAndRemember(), KubernetesAction.DeletePod.class))
                .extracting(KubernetesAction.DeletePod::name)
                .containsExactly(fresh.name);
        fresh.podUid = "pod-second";
        Plan second = scene.planAndRemember();

        assertThat(actions(second, KubernetesAction.DeletePod.class))
                .extracting(KubernetesAction.DeletePod::name)
                .containsExactly(fresh.name);
        Plan third = scene.planAndRemember();
        assertThat(actions(third, KubernetesAction.CreateMember.class)).isEmpty();
        assertThat(third.status().message()).contains("2 times in a row").contains("Bad directive");
    }

    @Test
    void nothingIsRolledWhileSlotsMove() {
        Scene scene = outdated(2, 1);
        SceneNode source = scene.node(0, 0);
        source.migrations = List.of(
                new SlotMigration(true, SlotSet.of(1), source.id, scene.node(1, 0).id, true, "snapshotting", ""));

        assertThat(actions(scene.plan(), KubernetesAction.CreateMember.class)).isEmpty();
    }

    @Test
    void aShardInTroubleHoldsUpNoOther() {
        Scene scene = outdated(3, 1);
        scene.node(0, 1).answers = false;

        assertThat(only(scene.plan(), KubernetesAction.CreateMember.class)
                        .shard()
                        .index())
                .isEqualTo(1);
    }

    @Test
    void aLostMemberIsReplacedDuringARoll() {
        Scene scene = outdated(3, 1);
        SceneNode old = scene.node(0, 1);
        successor(scene, old).joinedUnder(scene.node(0, 0)).linkUp = false;
        scene.node(2, 1).phase = PodView.Phase.FAILED;

        assertThat(only(scene.plan(), KubernetesAction.CreateMember.class)
                        .shard()
                        .index())
                .isEqualTo(2);
    }

    /** As all pods are after an upgrade of the operator: known by what they show, and from then on by what they carry. */
    @Test
    void podsOfAnOlderReleaseOfTheOperatorAreAdopted() {
        Scene scene = Scene.active(2, 1);
        scene.directives = new TreeMap<>(Map.of("hz", "20", "maxmemory", "64mb"));
        for (SceneNode node : scene.nodes) {
            node.ofOldRelease = true;
            node.template = Optional.of(ServerConfig.shown(scene.spec()).hex());
            node.tells = new TreeMap<>(Map.of("hz", "20", "maxmemory", "67108864"));
        }
        Plan plan = scene.plan();

        assertThat(actions(plan, KubernetesAction.CreateMember.class)).isEmpty();
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
        assertThat(only(plan, ValkeyAction.SetDirectives.class).changes()).isEqualTo(Map.of("maxmemory", "64mb"));
        assertThat(actions(plan, KubernetesAction.MarkPod.class))
                .hasSize(4)
                .allMatch(mark -> ServerConfig.template(scene.spec())
                        .hex()
                        .equals(mark.annotations().get(Markers.TEMPLATE)))
                .allMatch(mark ->
                        mark.labels().equals(Map.of(Markers.NODE, mark.name().value())));

        scene.nodes.forEach(node -> node.tells = new TreeMap<>(Map.of("hz", "20", "maxmemory", "64mb")));
        assertThat(actions(scene.plan(), KubernetesAction.MarkPod.class))
                .filteredOn(mark ->
                        "hz 20\nmaxmemory 64mb\n".equals(mark.annotations().get(Markers.DIRECTIVES)))
                .hasSize(4);
    }

    /** Taken for one that never had a slot, its pods would be deleted to make them anew. */
    @Test
    void aClusterOfAnOlderReleaseThatDidNotNoteWhenItWasFormedIsKnownByHavingServed() {
        Scene scene = Scene.active(2, 1);
        scene.formed = false;
        scene.nodes.forEach(node -> node.template = Optional.of("00000000000000aa"));
        assertAdopted(scene);
    }

    @Test
    void orByItsSlots() {
        Scene scene = Scene.active(2, 1);
        scene.formed = false;
        scene.published = Optional.of(ClusterState.INVALID);
        scene.nodes.forEach(node -> node.template = Optional.of("00000000000000aa"));
        assertAdopted(scene);
    }

    private static void assertAdopted(Scene scene) {
        Plan plan = scene.plan();
        assertThat(actions(plan, KubernetesAction.MarkFormed.class)).hasSize(1);
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
        assertThat(only(plan, KubernetesAction.CreateMember.class).replaces()).isPresent();
    }

    @Test
    void aPodOfAnOlderReleaseThatShowsAnotherImageIsReplaced() {
        Scene scene = Scene.active(2, 1);
        SceneNode node = scene.node(1, 1);
        node.ofOldRelease = true;
        node.template = Optional.of(ServerConfig.shown(
                        "docker.io/valkey/valkey:8.1.1",
                        scene.spec().server().resources().cpu(),
                        scene.spec().server().resources().memory(),
                        scene.spec().placement())
                .hex());

        assertThat(only(scene.plan(), KubernetesAction.CreateMember.class).replaces())
                .hasValue(node.name);
    }

    /** It may only be slow; what it runs with will be known when it answers. */
    @Test
    void aSilentPodOfAnOlderReleaseIsNotReplacedForWhatItDoesNotSay() {
        Scene scene = Scene.active(2, 1);
        SceneNode node = scene.node(1, 1).frozen();
        node.ofOldRelease = true;
        node.template = Optional.of(ServerConfig.shown(scene.spec()).hex());

        assertThat(actions(scene.plan(), KubernetesAction.CreateMember.class)).isEmpty();
    }
}
