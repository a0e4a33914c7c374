package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.port.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void silenceAloneReplacesNobody() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 0).answers = false;
        Plan plan = scene.plan();

        assertThat(actions(plan, KubernetesAction.CreateMember.class)).isEmpty();
        assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
        assertThat(actions(plan, ValkeyAction.class)).isEmpty();
        assertThat(plan.status().state()).isEqualTo(ClusterState.UPDATING);
        assertThat(plan.status().message()).contains("no live primary is seen").contains("does not answer");
    }

    @Test
    void aLostMemberIsReplacedUnderANewNameOnce() {
        Scene scene = Scene.active(3, 1);
        SceneNode lost = scene.node(1, 1).vanished();
        KubernetesAction.CreateMember first = only(scene.plan(), KubernetesAction.CreateMember.class);
        KubernetesAction.CreateMember second = only(scene.plan(), KubernetesAction.CreateMember.class);

        assertThat(first.name()).isNotEqualTo(lost.name).isEqualTo(second.name());
        assertThat(first.replaces()).contains(lost.name);
        assertThat(first.shard()).isEqualTo(Scene.shard(1));
    }

    @Test
    void aDeadPrimaryWithSlotsIsNotForgottenBeforeTheElection() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 0).vanished();
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.Forget.class)).isEmpty();
        assertThat(messages(plan)).contains("primary unhealthy but replicas exist, waiting for auto-failover");
    }

    @Test
    void aNodeInHandshakeIsNeitherForgottenNorMetAgain() {
        Scene scene = Scene.active(1, 1);
        SceneNode joining = scene.node(0, 1);
        joining.met = false;
        joining.joined = false;
        joining.follows = Optional.empty();
        NodeId madeUp = new NodeId("a".repeat(40));
        scene.node(0, 0).delusions.put(madeUp, Optional.of(handshakeLine(madeUp, joining.ip)));

        assertThat(actions(scene.plan(), ValkeyAction.class)).isEmpty();
    }

    @Test
    void aGhostIsForgottenOnlyWhenItCanNotBeOneOfOurPods() {
        Scene scene = Scene.active(1, 1);
        NodeId ghost = new NodeId("f".repeat(40));
        MemberBelief line = primaryLine(ghost, SlotSet.EMPTY, true);
        scene.node(0, 0).delusions.put(ghost, Optional.of(line));
        assertThat(actions(scene.plan(), ValkeyAction.Forget.class)).hasSize(1);

        SceneNode silent = scene.add(0, 2);
        scene.replicas = 2;
        silent.noted = false;
        silent.answers = false;
        silent.ip = line.ip().orElseThrow();
        assertThat(actions(scene.plan(), ValkeyAction.Forget.class)).isEmpty();
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

        scene.nodes.forEach(node -> node.template = Optional.of(failedTemplate(scene)));
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
    void deathsSoonAfterTheStartAreAnsweredEverLater() {
        Scene scene = Scene.active(1, 1);
        SceneNode current = scene.node(0, 1);
        for (int death = 1; death <= 12; death++) {
            current.createdAt = scene.now;
            current.died("Error", 1, "Fatal: out of luck");
            scene.planAndRemember();
            Duration waited = Duration.ZERO;
            while (actions(scene.plan(), KubernetesAction.CreateMember.class).isEmpty()) {
                scene.now = scene.now.plusSeconds(1);
                waited = waited.plusSeconds(1);
            }
            long expected = death == 1 ? 0 : Math.min(300, 1L << (death - 1));
            assertThat(waited.toSeconds()).as("death %d", death).isEqualTo(expected);
            SceneNode successor = scene.add(0, 1);
            successor.replaces = Optional.of(current.name);
            current.vanished();
            current.recorded = false;
            scene.nodes.remove(current);
            current = successor;
        }
        assertThat(scene.plan().status().message()).doesNotContain("operator-pw");
    }

    @Test
    void aRefusalIsToldAndTriedAgainNoEarlierThanAllowed() {
        Scene scene = Scene.active(1, 1);
        scene.node(0, 1).vanished();
        KubernetesAction.CreateMember wanted = only(scene.plan(), KubernetesAction.CreateMember.class);
        TreeMap<String, Ledger.Refusal> refusals = new TreeMap<>();
        refusals.put(wanted.key(), new Ledger.Refusal("exceeded quota: pods", Scene.NOW.plusSeconds(10)));
        scene.ledger = scene.ledger.withRefusals(refusals);

        Plan waiting = scene.plan();
        assertThat(actions(waiting, KubernetesAction.CreateMember.class)).isEmpty();
        assertThat(waiting.status().message()).contains("exceeded quota: pods");
        scene.now = Scene.NOW.plusSeconds(10);
        assertThat(actions(scene.plan(), KubernetesAction.CreateMember.class)).hasSize(1);
    }

    @Test
    void fewerReplicasNeverTakeThePrimary() {
        Scene scene = Scene.active(1, 2);
        scene.replicas = 0;
        SceneNode owner = scene.node(0, 0);
        List<KubernetesAction.DeletePod> deleted = actions(scene.plan(), KubernetesAction.DeletePod.class);

        assertThat(deleted).hasSize(2).noneMatch(delete -> delete.name().equals(owner.name));
    }

    @Test
    void ofSurplusReplicasThoseWithoutAFullCopyGoFirst() {
        Scene scene = Scene.active(1, 2);
        scene.replicas = 1;
        scene.node(0, 1).linkUp = false;
        KubernetesAction.DeletePod delete = only(scene.plan(), KubernetesAction.DeletePod.class);

        assertThat(delete.name()).isEqualTo(scene.node(0, 1).name);
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
    void aShardLessWishOfAFormedClusterIsToldAndNothingIsTouched() {
        Scene scene = Scene.active(3, 0);
        scene.shards = 2;
        Plan plan = scene.plan();

        assertThat(plan.actions()).noneMatch(KubernetesAction.DeletePod.class::isInstance);
        assertThat(plan.status().message()).contains("spec.shards is 2 and 3 shards run");
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
    void whenAllIsLostAnEmptyClusterComesBackAndSaysSo() {
        Scene scene = Scene.of(2, 0).withFreshNodes();
        scene.formed = true;
        scene.published = Optional.of(ClusterState.UPDATING);
        Plan plan = scene.plan();

        assertThat(actions(plan, ValkeyAction.ClaimSlots.class)).hasSize(2);
        assertThat(messages(plan)).contains("all nodes were lost with their data, forming an empty cluster");
    }

    @Test
    void aNodeBecomesActiveOnlyOnceAllOthersSeeItInItsRole() {
        Scene scene = Scene.active(1, 2);
        SceneNode joining = scene.node(0, 2);
        joining.joined = false;
        scene.node(0, 1).delusions.put(joining.id, Optional.of(primaryLine(joining.id, SlotSet.EMPTY, false)));
        assertThat(statusOf(scene.plan(), joining)).isEqualTo(Lifecycle.JOINING);

        scene.node(0, 1).delusions.clear();
        assertThat(statusOf(scene.plan(), joining)).isEqualTo(Lifecycle.ACTIVE);
    }

    @Test
    void equalInputsGiveEqualPlans() {
        assertThat(Scene.active(3, 1).plan()).isEqualTo(Scene.active(3, 1).plan());
    }

    private static Lifecycle statusOf(Plan plan, SceneNode node) {
        return plan.status().nodes().stream()
                .filter(line -> line.name().equals(node.name))
                .findFirst()
                .orElseThrow()
                .lifecycle();
    }

    private static String failedTemplate(Scene scene) {
        return ServerConfig.template(scene.spec()).hex();
    }

    private static MemberBelief primaryLine(NodeId id, SlotSet slots, boolean dead) {
        return new MemberBelief(
                id,
                Optional.of("10.9.9.9"),
                Optional.empty(),
                Role.PRIMARY,
                Optional.empty(),
                dead ? MemberBelief.Health.FAILED : MemberBelief.Health.OK,
                false,
                !dead,
                new ConfigEpoch(0),
                slots,
                List.of());
    }

    private static MemberBelief handshakeLine(NodeId id, String ip) {
        return new MemberBelief(
                id,
                Optional.of(ip),
                Optional.empty(),
                Role.PRIMARY,
                Optional.empty(),
                MemberBelief.Health.OK,
                true,
                false,
                new ConfigEpoch(0),
                SlotSet.EMPTY,
                List.of());
    }

    private static <A> List<A> actions(Plan plan, Class<A> kind) {
        return plan.actions().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static <A> A only(Plan plan, Class<A> kind) {
        List<A> found = actions(plan, kind);
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private static List<String> messages(Plan plan) {
        return plan.events().stream().map(Journal.Entry::message).toList();
    }
}
