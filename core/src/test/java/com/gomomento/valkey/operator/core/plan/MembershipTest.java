package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.handshakeLine;
import static com.gomomento.valkey.operator.core.plan.Plans.messages;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static com.gomomento.valkey.operator.core.plan.Plans.primaryLine;
import static com.gomomento.valkey.operator.core.plan.Plans.statusOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who is replaced, met, forgotten and retired, and when. */
class MembershipTest {

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
        scene.ledger = scene.ledger.withResults(refusals, Map.of(), Map.of());

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
    void aServerThatWasToldToEndHasNotCrashed() {
        Scene scene = Scene.active(1, 2);
        SceneNode deleted = scene.node(0, 2);
        deleted.createdAt = Scene.NOW;
        deleted.died("Completed", 0, "");
        deleted.terminating = true;

        assertThat(scene.plan().ledger().crashes()).isEmpty();
    }

    /** Found by the simulator: two dead pods of one shard were each counted anew at every step, up to 995 times. */
    @Test
    void membersThatOneFaultEndedCountOnceHoweverOftenTheyAreSeen() {
        Scene scene = Scene.active(1, 1);
        for (SceneNode node : scene.nodes) {
            node.createdAt = Scene.NOW;
            node.died("OOMKilled", 137, "");
        }
        for (int step = 0; step < 5; step++) {
            scene.planAndRemember();
        }

        assertThat(scene.plan().ledger().crashes().values())
                .extracting(Ledger.Crashes::count)
                .containsExactly(1);
    }

    /** Found by the simulator: of two operators, one saw a new member's ValkeyNode before its pod and had it forgotten. */
    @Test
    void aPodThatIsMerelyMissingIsForgottenOnlyOnceNobodyReachesIt() {
        Scene scene = Scene.active(2, 1);
        SceneNode unseen = scene.node(0, 1);
        unseen.podExists = false;
        scene.nodes.stream()
                .filter(node -> node != unseen)
                .forEach(node -> node.delusions.put(unseen.id, Optional.of(living(unseen))));
        assertThat(actions(scene.plan(), ValkeyAction.Forget.class)).isEmpty();

        unseen.podExists = true;
        unseen.terminating = true;
        scene.planAndRemember();
        unseen.podExists = false;
        assertThat(actions(scene.plan(), ValkeyAction.Forget.class)).hasSize(3);
    }

    private static MemberBelief living(SceneNode node) {
        node.podExists = true;
        MemberBelief line = node.line();
        node.podExists = false;
        return line;
    }
}
