package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.messages;
import static com.gomomento.valkey.operator.core.plan.Plans.primaryLine;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Formation, inputs and status. */
class PlannerTest {

    private static final String FATAL_LOG = """
            *** FATAL CONFIG FILE ERROR (Version 9.1.2) ***
            Reading the configuration file, at line 3
            >>> 'maxmemory lots'
            argument must be a memory value
            """;

    @ParameterizedTest
    @CsvSource({"1,0", "1,1", "2,0", "3,1", "6,2"})
    void aClusterInOrderIsActiveAndWantsNothing(int shards, int replicas) {
        Plan plan = Scene.active(shards, replicas).plan();

        assertThat(plan.actions()).isEmpty();
        assertThat(plan.status().state()).isEqualTo(ClusterState.ACTIVE);
        assertThat(plan.status().message()).isEmpty();
        assertThat(plan.status().slotsAssigned()).isEqualTo(SlotSet.COUNT);
        assertThat(plan.status().readyNodes()).isEqualTo(shards * (1 + replicas));
    }

    @Test
    void nothingIsClaimedWhileOneMemberIsSilent() {
        Scene scene = Scene.of(3, 1).withFreshNodes();
        scene.formed = true;
        scene.published = Optional.of(ClusterState.CREATING);
        scene.node(2, 1).answers = false;

        assertThat(actions(scene.plan(), ValkeyAction.class)).isEmpty();
        assertThat(scene.plan().status().message())
                .contains(scene.node(2, 1).name.value());
    }

    @Test
    void aSlotThatAnyViewGivesToAnybodyIsNotClaimed() {
        Scene scene = Scene.of(2, 0).withFreshNodes();
        scene.formed = true;
        NodeId ghost = new NodeId("f".repeat(40));
        SlotSet taken = SlotSet.share(0, 2);
        scene.node(1, 0).delusions.put(ghost, Optional.of(primaryLine(ghost, taken, false)));

        assertThat(actions(scene.plan(), ValkeyAction.ClaimSlots.class))
                .allSatisfy(claim -> assertThat(claim.slots().intersects(taken)).isFalse());
    }

    @Test
    void claimsOfOnePlanAreDisjointCompleteAndOfDistinctEpochs() {
        Scene scene = Scene.of(7, 0).withFreshNodes();
        scene.formed = true;
        List<ValkeyAction.ClaimSlots> claims = actions(scene.plan(), ValkeyAction.ClaimSlots.class);

        SlotSet all = SlotSet.EMPTY;
        for (ValkeyAction.ClaimSlots claim : claims) {
            assertThat(all.intersects(claim.slots())).isFalse();
            all = all.plus(claim.slots());
        }
        assertThat(all).isEqualTo(SlotSet.ALL);
        assertThat(claims.stream().map(ValkeyAction.ClaimSlots::epoch)).doesNotHaveDuplicates();
    }

    @Test
    void aDisagreementBetweenViewsIsNotActive() {
        Scene scene = Scene.active(2, 1);
        SceneNode replica = scene.node(0, 1);
        MemberBelief asPrimary = primaryLine(replica.id, SlotSet.EMPTY, false);
        scene.node(1, 0).delusions.put(replica.id, Optional.of(asPrimary));
        Plan plan = scene.plan();

        assertThat(plan.status().state()).isEqualTo(ClusterState.UPDATING);
        assertThat(plan.status().message()).contains(replica.name.value()).contains("as a replica");
    }

    @Test
    void aChangedLabelIsSetRightAndNothingElse() {
        Scene scene = Scene.active(2, 1);
        scene.node(1, 1).wrongLabels.put("app.kubernetes.io/instance", "another");
        Plan plan = scene.plan();

        assertThat(plan.actions())
                .singleElement()
                .isEqualTo(new KubernetesAction.MarkPod(
                        scene.node(1, 1).name,
                        scene.node(1, 1).podUid,
                        Scene.sorted(Map.of("app.kubernetes.io/instance", "cache")),
                        Scene.sorted(Map.of())));
        assertThat(plan.status().state()).isEqualTo(ClusterState.ACTIVE);
    }

    @Test
    void aPodThatIsNotReadyIsNamedAndNotActive() {
        Scene scene = Scene.active(2, 1);
        scene.node(1, 1).ready = false;
        Plan plan = scene.plan();

        assertThat(plan.status().state()).isEqualTo(ClusterState.UPDATING);
        assertThat(plan.status().readyNodes()).isEqualTo(3);
        assertThat(plan.status().message()).isEqualTo("waiting for 1 pods to be Ready: " + scene.node(1, 1).name);
        assertThat(plan.actions()).isEmpty();
    }

    @Test
    void wordsAloneAreWrittenTwiceASecondAndAllElseAtOnce() {
        Scene scene = Scene.active(2, 1);
        scene.node(1, 0).clusterOk = false;
        ClusterStatus first = scene.planAndRemember().status();
        assertThat(first.message()).contains(scene.node(1, 0).name + " does not serve yet");
        ClusterStatus stale = first.withMessage("another operator's words");
        Plan now = scene.plan(stale);
        assertThat(now.status()).isEqualTo(first);

        scene.ledger = now.ledger();
        scene.now = Scene.NOW.plusMillis(100);
        Plan waiting = scene.plan(stale);
        assertThat(waiting.status()).isEqualTo(stale);
        assertThat(waiting.requeueAfter()).isLessThanOrEqualTo(Duration.ofMillis(400));
        scene.node(0, 1).ready = false;
        assertThat(scene.plan(stale).status().readyNodes()).isEqualTo(3);
    }

    @Test
    void serversThatEndAtEveryStartFailTheCreationAndAnInputChangeStartsItAgain() {
        Scene scene = Scene.of(3, 0).withFreshNodes();
        scene.nodes.forEach(node -> {
            node.noted = false;
            node.createdAt = Scene.NOW;
            node.died("Error", 1, FATAL_LOG);
        });
        Plan failed = scene.plan();
        assertThat(failed.status().state()).isEqualTo(ClusterState.FAILED);
        assertThat(failed.status().message()).contains("maxmemory lots").contains("argument must be a memory value");
        assertThat(failed.actions()).noneMatch(KubernetesAction.CreateMember.class::isInstance);

        scene.nodes.forEach(node -> node.directives = Optional.of(""));
        scene.directives.put("maxmemory", "50mb");
        Plan again = scene.plan();
        assertThat(again.status().state()).isEqualTo(ClusterState.CREATING);
        assertThat(actions(again, KubernetesAction.CreateMember.class)).hasSize(3);
        assertThat(actions(again, KubernetesAction.DeletePod.class)).hasSize(3);
    }

    @Test
    void anUnusableInputChangesNothingThatRunsAndRepairGoesOn() {
        Scene scene = Scene.active(1, 1);
        scene.planAndRemember();
        scene.unusable = Optional.of("ValkeyConfig 'gone' does not exist");
        assertThat(scene.plan().actions()).isEmpty();
        assertThat(scene.plan().status().state()).isEqualTo(ClusterState.INVALID);
        assertThat(scene.plan().status().message()).startsWith("ValkeyConfig 'gone' does not exist");

        scene.node(0, 1).vanished();
        assertThat(actions(scene.plan(), KubernetesAction.CreateMember.class)).hasSize(1);

        scene.ledger = Ledger.EMPTY;
        assertThat(scene.plan().actions()).isEmpty();
    }

    @Test
    void aPausedClusterIsWatchedAndLeftAlone() {
        Scene scene = Scene.active(1, 1);
        scene.paused = true;
        scene.node(0, 1).vanished();
        Plan plan = scene.plan();

        assertThat(plan.actions()).isEmpty();
        assertThat(plan.status().state()).isEqualTo(ClusterState.UPDATING);
        assertThat(plan.status().message()).contains("spec.paused is true");
        assertThat(messages(plan)).contains("ACL reconcile tick", "TLS reconcile tick", "active tick");
    }

    @Test
    void heartbeatsComeEveryThirtySeconds() {
        Scene scene = Scene.active(1, 0);
        assertThat(messages(scene.planAndRemember()))
                .containsExactly("ACL reconcile tick", "TLS reconcile tick", "active tick");
        scene.now = Scene.NOW.plusMillis(29_999);
        Plan quiet = scene.planAndRemember();
        assertThat(messages(quiet)).isEmpty();
        assertThat(quiet.requeueAfter()).isEqualTo(Duration.ofMillis(1));
        scene.now = Scene.NOW.plusSeconds(30);
        assertThat(messages(scene.plan())).hasSize(3);
    }

    @Test
    void whatDoesNotSettleIsLookedAtLessOften() {
        Scene scene = Scene.active(2, 0);
        scene.node(0, 0).answers = false;
        assertThat(scene.planAndRemember().requeueAfter()).isEqualTo(Duration.ofMillis(100));
        assertThat(scene.plan().status().message()).contains("since 2026-11-30T12:00:00Z");

        scene.now = Scene.NOW.plusSeconds(31);
        Plan late = scene.planAndRemember();
        assertThat(late.requeueAfter()).isEqualTo(Duration.ofSeconds(2));
        assertThat(late.status().message()).contains("since 2026-11-30T12:00:00Z");

        scene.node(0, 0).answers = true;
        assertThat(scene.planAndRemember().ledger().unsettledSince()).isEmpty();
    }

    @Test
    void usersThatAreNotInForceOnEveryNodeAreNotActive() {
        Scene scene = Scene.active(1, 1);
        scene.node(0, 1).access = Optional.of("0123456789abcdef");
        Plan plan = scene.plan();

        assertThat(plan.actions()).isEmpty();
        assertThat(plan.status().state()).isEqualTo(ClusterState.UPDATING);
        assertThat(plan.status().message())
                .contains("1 of 2 nodes run with earlier users")
                .contains(scene.node(0, 1).name.value());
    }

    @Test
    void whatStaysTrueIsToldOnceAHeartbeat() {
        Scene scene = Scene.of(1, 0).withFreshNodes();
        SceneNode stuck = scene.node(0, 0);
        stuck.noted = false;
        stuck.phase = PodView.Phase.PENDING;
        stuck.trouble = Optional.of(new PodView.Unschedulable("0/3 nodes are available"));
        String blocked = "bootstrap blocked: pod cannot be scheduled";

        assertThat(messages(scene.planAndRemember())).containsOnlyOnce(blocked);
        scene.now = Scene.NOW.plusSeconds(1);
        assertThat(messages(scene.planAndRemember())).doesNotContain(blocked);
        scene.now = Scene.NOW.plusSeconds(30);
        assertThat(messages(scene.planAndRemember())).containsOnlyOnce(blocked);
        scene.now = Scene.NOW.plusSeconds(31);
        assertThat(messages(scene.planAndRemember())).doesNotContain(blocked);
    }

    @Test
    void aNodeThatRefusesToServeIsNotActive() {
        Scene scene = Scene.active(3, 1);
        scene.node(2, 0).clusterOk = false;
        Plan plan = scene.plan();

        assertThat(plan.status().state()).isEqualTo(ClusterState.UPDATING);
        assertThat(plan.status().message())
                .contains(scene.node(2, 0).name.value())
                .contains("cluster_state:fail");
    }

    @Test
    void aUserThatNoServerWouldReadIsInvalidAndTouchesNothing() {
        Scene scene = Scene.active(1, 1);
        scene.users = List.of(new AclUser("app", List.of(), List.of("+@read ~cache:)")));
        Plan plan = scene.plan();

        assertThat(plan.actions()).isEmpty();
        assertThat(plan.status().state()).isEqualTo(ClusterState.INVALID);
        assertThat(plan.status().message()).contains("app");
    }

    @Test
    void whenAllIsLostAnEmptyClusterComesBackAndSaysSo() {
        Scene scene = Scene.of(2, 0).withFreshNodes();
        scene.formed = true;
        scene.published = Optional.of(ClusterState.UPDATING);
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.ClaimSlots.class)).hasSize(2);
        assertThat(messages(plan)).contains("all nodes were lost with their data, forming an empty cluster");
    }

    @Test
    void equalInputsGiveEqualPlans() {
        assertThat(Scene.active(3, 1).plan()).isEqualTo(Scene.active(3, 1).plan());
    }
}
