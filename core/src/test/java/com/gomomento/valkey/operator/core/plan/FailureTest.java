package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.messages;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Primaries die, nodes hang, shards are lost. */
class FailureTest {

    private static final int PATIENCE_SECONDS = 5;

    private static ValkeyAction.Failover.Mode[] modes(Plan plan) {
        return actions(plan, ValkeyAction.Failover.class).stream()
                .map(ValkeyAction.Failover::mode)
                .toArray(ValkeyAction.Failover.Mode[]::new);
    }

    /** Plans, and once more after the patience with who is silent. */
    private static Plan afterPatience(Scene scene) {
        scene.planAndRemember();
        scene.now = Scene.NOW.plusSeconds(PATIENCE_SECONDS);
        return scene.plan();
    }

    @Test
    void whileAMajorityLivesTheEngineElects() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 0).died("Error", 137, "");
        Plan plan = scene.plan();

        assertThat(modes(plan)).isEmpty();
        assertThat(messages(plan)).contains("primary unhealthy but replicas exist, waiting for auto-failover");
    }

    @Test
    void withoutAMajorityTheBestReplicaOfEachTakesOver() {
        Scene scene = Scene.active(3, 2);
        scene.node(0, 0).died("Error", 137, "");
        scene.node(1, 0).vanished();
        scene.nodes.forEach(node -> node.linkUp = node.shard == 2);
        scene.node(0, 1).offset = 10;
        scene.node(0, 2).offset = 20;
        scene.node(1, 1).offset = 20;
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.Failover.class))
                .extracting(ValkeyAction.Failover::node)
                .containsExactly(scene.node(0, 2).name, scene.node(1, 1).name);
        assertThat(modes(plan)).containsOnly(ValkeyAction.Failover.Mode.TAKEOVER);
    }

    @Test
    void primariesThatMerelyDoNotAnswerAreNoEvidence() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 0).died("Error", 137, "");
        scene.node(1, 0).answers = false;
        scene.node(2, 0).answers = false;

        assertThat(modes(scene.plan())).isEmpty();
    }

    @Test
    void aSilentSiblingIsWaitedForBeforeATakeover() {
        Scene scene = Scene.active(1, 2);
        scene.node(0, 0).died("Error", 137, "");
        scene.node(0, 1).answers = false;
        assertThat(modes(scene.planAndRemember())).isEmpty();

        scene.now = Scene.NOW.plusSeconds(10);
        assertThat(only(scene.plan(), ValkeyAction.Failover.class).node()).isEqualTo(scene.node(0, 2).name);
    }

    @Test
    void aReplicaThatNeverSyncedTakesNothingOver() {
        Scene scene = Scene.active(1, 1);
        scene.node(0, 0).died("Error", 137, "");
        scene.node(0, 1).linkUp = false;
        scene.node(0, 1).syncing = true;

        assertThat(modes(scene.plan())).isEmpty();
    }

    @Test
    void aReplicaThatHasNotNoticedIsWaitedFor() {
        Scene scene = Scene.active(1, 1);
        scene.node(0, 0).died("Error", 137, "");
        scene.node(0, 1).delusions.put(scene.node(0, 0).id, Optional.of(livingLine(scene.node(0, 0))));
        assertThat(modes(scene.plan())).isEmpty();

        scene.node(0, 1).linkUp = false;
        assertThat(modes(scene.plan())).containsExactly(ValkeyAction.Failover.Mode.TAKEOVER);
    }

    private static MemberBelief livingLine(SceneNode node) {
        node.phase = PodView.Phase.RUNNING;
        MemberBelief line = node.line();
        node.phase = PodView.Phase.FAILED;
        return line;
    }

    /** Found by the simulator: nobody is elected for it, and its seat is filled, so that no newcomer would lead either. */
    @Test
    void aReplicaOfADeadPrimaryWithoutSlotsBecomesThePrimary() {
        Scene scene = Scene.active(2, 1);
        scene.shards = 3;
        SceneNode lead = scene.add(2, 0);
        lead.met = true;
        scene.add(2, 1).joinedUnder(lead).linkUp = false;
        lead.died("Error", 137, "");

        ValkeyAction.Failover failover = only(scene.plan(), ValkeyAction.Failover.class);
        assertThat(failover.node()).isEqualTo(scene.node(2, 1).name);
    }

    @Test
    void aHangingNodeIsReplacedOnceItsShardIsServedAndMostHoldItFailed() {
        Scene scene = Scene.active(3, 1);
        SceneNode hanging = scene.node(0, 0).frozen();
        assertThat(actions(afterPatience(scene), KubernetesAction.DeletePod.class))
                .isEmpty();

        SceneNode elected = scene.node(0, 1);
        elected.follows = Optional.empty();
        elected.slots = hanging.slots;
        elected.epoch = 9;
        hanging.slots = SlotSet.EMPTY;
        scene.now = Scene.NOW;
        scene.ledger = Ledger.EMPTY;
        assertThat(only(afterPatience(scene), KubernetesAction.DeletePod.class).name())
                .isEqualTo(hanging.name);
    }

    @Test
    void aNodeThatOnlyTheOperatorCantReachIsLeftAlone() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 1).answers = false;

        Plan plan = afterPatience(scene);
        assertThat(plan.actions()).noneMatch(KubernetesAction.DeletePod.class::isInstance);
        assertThat(plan.status().message()).contains("does not answer the operator");
    }

    @Test
    void aHangingPrimaryWithoutACopyIsWaitedFor() {
        Scene scene = Scene.active(3, 0);
        scene.node(0, 0).frozen();

        assertThat(actions(afterPatience(scene), KubernetesAction.DeletePod.class))
                .isEmpty();
    }

    @Test
    void aShardWithoutACopyIsForgottenEverywhereAndThenClaimedEmpty() {
        Scene scene = Scene.active(3, 1);
        SceneNode primary = scene.node(0, 0).vanished();
        scene.node(0, 1).vanished();
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.Forget.class))
                .filteredOn(ValkeyAction.Forget::withSlots)
                .hasSize(4)
                .allMatch(forget -> forget.forgotten().equals(primary.id));
        assertThat(actions(plan, ValkeyAction.ClaimSlots.class)).isEmpty();
        assertThat(plan.status().conditions())
                .anyMatch(condition -> condition.type().equals("DataLost"));
        assertThat(messages(plan)).contains("every copy of a shard was lost, its slots come back empty");

        SlotSet lost = primary.slots;
        scene.nodes.remove(primary);
        SceneNode fresh = scene.add(0, 0);
        fresh.met = true;
        ValkeyAction.ClaimSlots claim = only(scene.plan(), ValkeyAction.ClaimSlots.class);
        assertThat(claim.node()).isEqualTo(fresh.name);
        assertThat(claim.slots()).isEqualTo(lost);
    }

    /** Found by the simulator: a primary died, and somebody deleted its ValkeyNode. */
    @Test
    void aDeadOwnerOfWhomNothingIsLeftIsForgottenToo() {
        Scene scene = Scene.active(2, 0);
        SceneNode gone = scene.node(1, 0).vanished();
        gone.recorded = false;
        SceneNode fresh = scene.add(1, 0);
        fresh.met = true;

        assertThat(actions(scene.plan(), ValkeyAction.Forget.class))
                .filteredOn(ValkeyAction.Forget::withSlots)
                .hasSize(2)
                .allMatch(forget -> forget.forgotten().equals(gone.id));
        fresh.answers = false;
        assertThat(actions(scene.plan(), ValkeyAction.Forget.class)).noneMatch(ValkeyAction.Forget::withSlots);
    }

    @Test
    void aMemberThatMayHoldTheDataIsWaitedFor() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 0).vanished();
        scene.node(0, 1).answers = false;
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.Forget.class)).noneMatch(ValkeyAction.Forget::withSlots);
        assertThat(plan.status().message()).contains("may hold its data");
    }

    @Test
    void whatWasLostStaysToldUntilTheNextGeneration() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 0).vanished();
        scene.node(0, 1).vanished();
        ClusterStatus told = scene.plan().status();

        Scene healed = Scene.active(3, 1);
        assertThat(healed.plan(told).status().conditions())
                .anyMatch(condition -> condition.type().equals("DataLost"));
        healed.generation = 2;
        assertThat(healed.plan(told).status().conditions())
                .noneMatch(condition -> condition.type().equals("DataLost"));
    }

    @Test
    void aLostMemberOfAShardThatLeavesIsToldAlsoAfterCrashes() {
        Scene scene = Scene.active(1, 0);
        SceneNode leaving = scene.add(1, 0);
        leaving.createdAt = Scene.NOW;
        for (int death = 0; death < 2; death++) {
            leaving.podUid = "pod-of-try-" + death;
            leaving.died("Error", 137, "");
            scene.planAndRemember();
        }
        assertThat(scene.ledger.crashes()).isNotEmpty();
        leaving.terminating = true;

        Plan plan = scene.plan();
        assertThat(plan.status().state()).isNotEqualTo(ClusterState.ACTIVE);
        assertThat(plan.status().message()).contains("removing lost node " + leaving.name);
    }

    @Test
    void noPodMayBeEvictedWhileAReplacementHoldsNoCopyYet() {
        Scene scene = Scene.active(2, 1);
        assertThat(actions(scene.plan(), KubernetesAction.ApplyDisruptionBudget.class))
                .isEmpty();
        scene.node(0, 1).linkUp = false;
        assertThat(only(scene.plan(), KubernetesAction.ApplyDisruptionBudget.class)
                        .minAvailable())
                .isEqualTo(4);

        scene.node(0, 1).linkUp = true;
        SceneNode surge = scene.add(1, 1).joinedUnder(scene.node(1, 0));
        surge.replaces = Optional.of(scene.node(1, 1).name);
        surge.linkUp = false;
        assertThat(only(scene.plan(), KubernetesAction.ApplyDisruptionBudget.class)
                        .minAvailable())
                .as("the one that comes in addition counts for Kubernetes")
                .isEqualTo(5);
    }
}
