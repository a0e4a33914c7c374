package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Shards and replicas come and go, and slots with them. */
class ScaleTest {

    private static Scene grown(int from, int to) {
        Scene scene = Scene.active(from, 1);
        scene.shards = to;
        for (int shard = from; shard < to; shard++) {
            SceneNode lead = scene.add(shard, 0);
            lead.met = true;
            lead.joined = true;
            scene.add(shard, 1).joinedUnder(lead);
        }
        return scene;
    }

    /** A migration as both ends tell it. */
    private static void migrating(SceneNode source, SceneNode target, SlotSet slots) {
        source.migrations = List.of(new SlotMigration(true, slots, source.id, target.id, true, "snapshotting", ""));
        target.migrations = List.of(new SlotMigration(false, slots, source.id, target.id, true, "receiving", ""));
    }

    private static void drained(Scene scene, int shard, int into) {
        SceneNode target = scene.node(into, 0);
        target.slots = target.slots.plus(scene.node(shard, 0).slots);
        scene.node(shard, 0).slots = SlotSet.EMPTY;
    }

    @Test
    void aNewShardsNodesComeFirst() {
        Scene scene = Scene.active(3, 1);
        scene.shards = 4;
        Plan plan = scene.plan();

        assertThat(actions(plan, KubernetesAction.CreateMember.class))
                .hasSize(2)
                .allMatch(member -> member.shard().index() == 3);
        assertThat(actions(plan, ValkeyAction.class)).isEmpty();
        assertThat(plan.status().state()).isEqualTo(ClusterState.UPDATING);
        assertThat(plan.status().message()).contains("moved 0 of 4,096 slots for 4 shards");
    }

    @Test
    void aNewShardFormsUnderItsFirstSeatBeforeItGetsSlots() {
        Scene scene = grown(3, 4);
        scene.node(3, 1).follows = Optional.empty();

        ValkeyAction.Replicate follow = only(scene.plan(), ValkeyAction.Replicate.class);
        assertThat(follow.node()).isEqualTo(scene.node(3, 1).name);
        assertThat(follow.primary()).isEqualTo(scene.node(3, 0).id);
        assertThat(actions(scene.plan(), ValkeyAction.MoveSlots.class)).isEmpty();
    }

    @Test
    void aNewShardGetsNoSlotBeforeItsReplicaIsInSync() {
        Scene scene = grown(3, 4);
        scene.node(3, 1).linkUp = false;

        assertThat(actions(scene.plan(), ValkeyAction.MoveSlots.class)).isEmpty();
    }

    /** Found by the simulator: slots were unserved until the engine's pause after a start was over. */
    @Test
    void aServerThatRefusesClientsYetGetsNoSlot() {
        Scene scene = grown(3, 4);
        scene.node(3, 0).clusterOk = false;

        assertThat(actions(scene.plan(), ValkeyAction.MoveSlots.class)).isEmpty();
    }

    @Test
    void slotsMoveFromOneNodeToOneNodeAtATime() {
        Scene scene = grown(3, 4);
        ValkeyAction.MoveSlots move = only(scene.plan(), ValkeyAction.MoveSlots.class);

        assertThat(move.target().nodeId()).isEqualTo(scene.node(3, 0).id);
        assertThat(move.method()).isEqualTo(ValkeyAction.MoveSlots.Method.ATOMIC);
        assertThat(move.slots().size()).isBetween(1365, 1366);

        scene = grown(3, 6);
        assertThat(actions(scene.plan(), ValkeyAction.MoveSlots.class))
                .hasSize(3)
                .allMatch(each -> each.slots().size() == 2048);
    }

    @Test
    void aNodeInAMigrationStartsNoOther() {
        Scene scene = grown(3, 4);
        migrating(scene.node(0, 0), scene.node(3, 0), SlotSet.share(0, 12));

        Plan plan = scene.planAndRemember();
        assertThat(actions(plan, ValkeyAction.MoveSlots.class)).isEmpty();
        assertThat(plan.status().message()).contains("moved 0 of");
    }

    @Test
    void progressIsCountedFromTheFirstMove() {
        Scene scene = grown(3, 4);
        scene.planAndRemember();
        SlotSet first = scene.node(0, 0).slots.first(1365);
        scene.node(0, 0).slots = scene.node(0, 0).slots.minus(first);
        scene.node(3, 0).slots = first;

        assertThat(scene.plan().status().message()).contains("moved 1,365 of 4,096 slots for 4 shards");
    }

    @Test
    void aShardThatLeavesIsDrainedAndKeptUntilEveryViewSaysSo() {
        Scene scene = Scene.active(3, 1);
        scene.shards = 2;
        assertThat(actions(scene.plan(), ValkeyAction.MoveSlots.class))
                .hasSize(1)
                .allMatch(move -> move.node().equals(scene.node(2, 0).name));
        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class)).isEmpty();

        drained(scene, 2, 1);
        scene.node(0, 0).delusions.put(scene.node(2, 0).id, Optional.of(ownerLine(scene)));
        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class)).isEmpty();

        scene.node(0, 0).delusions.clear();
        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class))
                .extracting(KubernetesAction.DeletePod::name)
                .containsExactlyInAnyOrder(scene.node(2, 0).name, scene.node(2, 1).name);
    }

    private static MemberBelief ownerLine(Scene scene) {
        SceneNode node = scene.node(2, 0);
        SlotSet now = node.slots;
        node.slots = SlotSet.of(16383);
        MemberBelief line = node.line();
        node.slots = now;
        return line;
    }

    @Test
    void aShardThatLeavesIsKeptWhileAMigrationTouchesIt() {
        Scene scene = Scene.active(3, 1);
        scene.shards = 2;
        drained(scene, 2, 1);
        migrating(scene.node(0, 0), scene.node(2, 0), SlotSet.of(5));

        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class)).isEmpty();
    }

    @Test
    void whereNothingIsHeardNothingIsDrained() {
        Scene scene = Scene.active(3, 0);
        scene.shards = 2;
        scene.nodes.forEach(node -> node.answers = false);

        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class)).isEmpty();
    }

    @Test
    void aWishTakenBackKeepsTheShard() {
        Scene scene = Scene.active(3, 1);
        drained(scene, 2, 1);

        Plan plan = scene.plan();
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
        assertThat(actions(plan, ValkeyAction.MoveSlots.class))
                .hasSize(1)
                .allMatch(move -> move.target().nodeId().equals(scene.node(2, 0).id));
    }

    @Test
    void dataThatDoesNotFitIsNotMoved() {
        Scene scene = grown(3, 4);
        scene.nodes.forEach(node -> node.usedBytes = 900);
        scene.node(3, 0).maxBytes = 1000;
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.MoveSlots.class)).isEmpty();
        assertThat(plan.status().message()).contains("would not fit into its memory");
    }

    @Test
    void surplusReplicasGoAndThePrimaryStaysWhereverItSits() {
        Scene scene = Scene.active(1, 2);
        SceneNode primary = scene.node(0, 2);
        scene.nodes.forEach(node -> node.follows = Optional.of(primary));
        primary.follows = Optional.empty();
        primary.slots = SlotSet.ALL;
        primary.epoch = 7;
        scene.node(0, 0).slots = SlotSet.EMPTY;
        scene.replicas = 0;

        List<NodeName> victims = actions(scene.plan(), KubernetesAction.DeletePod.class).stream()
                .map(KubernetesAction.DeletePod::name)
                .toList();
        assertThat(victims).containsExactlyInAnyOrder(scene.node(0, 0).name, scene.node(0, 1).name);
    }

    @Test
    void aSurplusReplicaStaysWhileItsPrimaryIsNotHeard() {
        Scene scene = Scene.active(3, 1);
        scene.replicas = 0;
        scene.node(0, 0).phase = PodView.Phase.FAILED;

        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class))
                .noneMatch(delete -> delete.name().equals(scene.node(0, 1).name));
    }

    @Test
    void whoGivesItsLastSlotDoesNotLeaveTheOthersInAMinority() {
        Scene scene = Scene.active(3, 0);
        scene.shards = 1;
        SceneNode survivor = scene.node(0, 0);
        SceneNode leaving = scene.node(1, 0);
        SlotSet last = leaving.slots.first(500);
        survivor.slots = survivor.slots.plus(leaving.slots.minus(last));
        leaving.slots = last;
        scene.node(2, 0).frozen();

        Plan plan = scene.plan();
        assertThat(actions(plan, ValkeyAction.MoveSlots.class)).isEmpty();
        assertThat(plan.status().message()).contains("the last slots of " + leaving.name + " stay there");

        scene.node(2, 0).answers = true;
        scene.node(2, 0).hangs = false;
        drained(scene, 2, 0);
        assertThat(only(scene.plan(), ValkeyAction.MoveSlots.class).slots()).isEqualTo(last);
    }

    @Test
    void aPodThatNobodyHasHeardStaysWhileAnUnknownNodeOwnsSlots() {
        Scene scene = Scene.active(3, 0);
        scene.shards = 2;
        SceneNode leaving = scene.node(2, 0);
        leaving.noted = false;
        leaving.answers = false;
        // News of its pod are old: it runs for its peers, and has no address yet for the operator.
        leaving.phase = PodView.Phase.PENDING;
        Plan plan = scene.plan();
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
        assertThat(actions(plan, ValkeyAction.Forget.class)).isEmpty();
        assertThat(plan.status().message()).doesNotContain("lost");

        scene.node(1, 0).slots = scene.node(1, 0).slots.plus(leaving.slots);
        leaving.slots = SlotSet.EMPTY;
        assertThat(only(scene.plan(), KubernetesAction.DeletePod.class).name()).isEqualTo(leaving.name);
    }
}
