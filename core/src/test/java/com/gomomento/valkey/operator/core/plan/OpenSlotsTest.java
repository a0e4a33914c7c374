package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Moves key by key that have stopped half way. */
class OpenSlotsTest {

    private final Scene scene = Scene.active(3, 1);
    private final SceneNode source = scene.node(0, 0);
    private final SceneNode target = scene.node(1, 0);
    private final SlotSet two = SlotSet.of(5).plus(SlotSet.of(6));

    /** Opens both slots on a node, as its own line says. */
    private static void open(SceneNode node, NodeId peer, boolean outgoing) {
        List<OpenSlot> slots =
                Stream.of(5, 6).map(slot -> new OpenSlot(slot, outgoing, peer)).toList();
        node.delusions.put(
                node.id,
                Optional.of(new MemberBelief(
                        node.id,
                        Optional.of(node.ip),
                        Optional.empty(),
                        node.follows.isPresent() ? Role.REPLICA : Role.PRIMARY,
                        node.follows.map(primary -> primary.id),
                        MemberBelief.Health.OK,
                        false,
                        true,
                        new ConfigEpoch(node.epoch),
                        node.slots,
                        slots)));
    }

    private void becamePrimary(SceneNode heir, SceneNode dead) {
        heir.follows = Optional.empty();
        heir.slots = dead.slots;
        heir.epoch = 9;
        dead.slots = SlotSet.EMPTY;
    }

    private static void isMove(ValkeyAction.MoveSlots move, SceneNode from, SceneNode to, SlotSet slots) {
        assertThat(move.nodeId()).isEqualTo(from.id);
        assertThat(move.target().nodeId()).isEqualTo(to.id);
        assertThat(move.target().ip()).isEqualTo(to.ip);
        assertThat(move.slots()).isEqualTo(slots);
        assertThat(move.method()).isEqualTo(ValkeyAction.MoveSlots.Method.KEY_BY_KEY);
    }

    @Test
    void aMoveThatStoppedIsFinished() {
        open(source, target.id, true);
        Plan plan = scene.plan();

        isMove(only(plan, ValkeyAction.MoveSlots.class), source, target, two);
        assertThat(plan.status().message()).contains("moving 2 open slots from " + source.name + " to " + target.name);
        assertThat(actions(plan, ValkeyAction.CloseSlots.class)).isEmpty();
    }

    @Test
    void aMoveGoesOnToWhoeverSucceededTheTarget() {
        open(source, target.id, true);
        target.died("Error", 137, "");
        becamePrimary(scene.node(1, 1), target);

        isMove(only(scene.plan(), ValkeyAction.MoveSlots.class), source, scene.node(1, 1), two);
    }

    @Test
    void slotsWhoseReceiverIsGoneWithAllOfItsShardAreKept() {
        open(source, target.id, true);
        target.died("Error", 137, "");
        scene.node(1, 1).died("Error", 137, "");
        Plan plan = scene.plan();

        ValkeyAction.CloseSlots close = only(plan, ValkeyAction.CloseSlots.class);
        assertThat(close.nodeId()).isEqualTo(source.id);
        assertThat(close.peer()).isEqualTo(target.id);
        assertThat(close.slots()).isEqualTo(two);
        assertThat(plan.reasons())
                .extracting(Reason::text)
                .contains(source.name + " keeps 2 slots whose receiver is dead");
    }

    @Test
    void aReceiverThatMayComeBackIsWaitedFor() {
        open(source, target.id, true);
        target.answers = false;
        scene.node(1, 1).died("Error", 137, "");
        assertThat(actions(scene.plan(), ValkeyAction.class))
                .noneMatch(action ->
                        action instanceof ValkeyAction.MoveSlots || action instanceof ValkeyAction.CloseSlots);

        // Nor is it given up while a replica of it lives that may be elected.
        SceneNode replica = scene.node(1, 1);
        replica.phase = PodView.Phase.RUNNING;
        target.died("Error", 137, "");
        assertThat(actions(scene.plan(), ValkeyAction.CloseSlots.class)).isEmpty();
    }

    @Test
    void slotsOpenTowardsANodeOfWhichNothingIsLeftAreKept() {
        NodeId unknown = new NodeId("%040x".formatted(77));
        open(source, unknown, true);

        assertThat(only(scene.plan(), ValkeyAction.CloseSlots.class).peer()).isEqualTo(unknown);
    }

    @Test
    void whoAwaitsSlotsIsSentThemByTheirOwner() {
        open(target, source.id, false);
        Plan plan = scene.plan();

        isMove(only(plan, ValkeyAction.MoveSlots.class), source, target, two);
        assertThat(plan.status().message()).contains("moving 2 open slots from " + source.name + " to " + target.name);
    }

    @Test
    void whoAwaitsSlotsThatTheOtherDoesNotOwnStopsWaiting() {
        SceneNode other = scene.node(2, 0);
        open(target, other.id, false);
        Plan plan = scene.plan();

        ValkeyAction.CloseSlots close = only(plan, ValkeyAction.CloseSlots.class);
        assertThat(close.nodeId()).isEqualTo(target.id);
        assertThat(close.peer()).isEqualTo(other.id);
        assertThat(close.slots()).isEqualTo(two);
        assertThat(plan.status().message()).contains("no longer waits for 2 slots that " + other.id + " does not own");
    }

    /** A replica that was elected in the midst of a move, before it had heard that its primary awaited slots. */
    @Test
    void slotsThatOnlyAReplicaAwaitsAreSentToWhoLeadsItsShard() {
        SceneNode replica = scene.node(1, 1);
        open(replica, source.id, false);
        Plan plan = scene.plan();

        isMove(only(plan, ValkeyAction.MoveSlots.class), source, target, two);
        assertThat(plan.status().message()).contains("moving 2 open slots from " + source.name + " to " + target.name);
    }

    @Test
    void aMoveOfWhichBothAPrimaryAndItsReplicaTellIsPlannedOnce() {
        open(source, target.id, true);
        open(target, source.id, false);
        open(scene.node(1, 1), source.id, false);

        isMove(only(scene.plan(), ValkeyAction.MoveSlots.class), source, target, two);
    }

    /** A replica can't be told about slots; its primary's word replaces its own with the next full copy. */
    @Test
    void slotsThatAReplicaSendsOrAwaitsInVainAreLeftToItsPrimary() {
        open(scene.node(0, 1), target.id, true);
        open(scene.node(1, 1), scene.node(2, 0).id, false);
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.class))
                .noneMatch(action ->
                        action instanceof ValkeyAction.MoveSlots || action instanceof ValkeyAction.CloseSlots);
    }

    @Test
    void noOtherMoveTouchesTheEndsOfAnOpenOne() {
        open(source, target.id, true);
        scene.shards = 2;

        assertThat(actions(scene.plan(), ValkeyAction.MoveSlots.class))
                .allMatch(move -> move.slots().equals(two));
    }
}
