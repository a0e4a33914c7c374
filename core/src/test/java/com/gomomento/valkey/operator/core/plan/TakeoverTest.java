package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts as the death of a primary, and what is said while nobody knows. */
class TakeoverTest {

    private static final Duration NOTICE_POLL = Duration.ofMillis(200);

    private static List<String> reasons(Plan plan) {
        return plan.reasons().stream().map(Reason::text).toList();
    }

    private static boolean takesOver(Plan plan) {
        return !actions(plan, ValkeyAction.Failover.class).isEmpty();
    }

    private static MemberBelief livingLine(SceneNode node) {
        boolean existed = node.podExists;
        PodView.Phase phase = node.phase;
        node.podExists = true;
        node.phase = PodView.Phase.RUNNING;
        MemberBelief line = node.line();
        node.podExists = existed;
        node.phase = phase;
        return line;
    }

    @Test
    void theElectionIsWaitedForInWords() {
        Scene scene = Scene.active(3, 2);
        scene.node(0, 0).died("Error", 137, "");
        assertThat(reasons(scene.plan()))
                .contains("shard 0 has no primary, waiting for the election of one of its 2 replicas");
    }

    @Test
    void aReplicaThatMayHoldMoreIsWaitedForInWordsAndNotLong() {
        Scene scene = Scene.active(1, 2);
        scene.node(0, 0).died("Error", 137, "");
        scene.node(0, 1).answers = false;
        Plan plan = scene.planAndRemember();
        assertThat(takesOver(plan)).isFalse();
        assertThat(reasons(plan))
                .contains("shard 0 has no primary and too few are left to elect one; waiting a moment for a replica"
                        + " that may hold more");
        assertThat(plan.requeueAfter()).isLessThanOrEqualTo(NOTICE_POLL);
    }

    @Test
    void aReplicaThatHasNotNoticedIsWaitedForInWordsAndNotLong() {
        Scene scene = Scene.active(1, 1);
        scene.node(0, 0).died("Error", 137, "");
        scene.node(0, 1).delusions.put(scene.node(0, 0).id, Optional.of(livingLine(scene.node(0, 0))));
        Plan plan = scene.plan();
        assertThat(takesOver(plan)).isFalse();
        assertThat(reasons(plan))
                .contains("shard 0 has no primary; waiting until replica " + scene.node(0, 1).name + " notices it");
        assertThat(plan.requeueAfter()).isLessThanOrEqualTo(NOTICE_POLL);
    }

    @Test
    void aTakeOverIsToldInWords() {
        Scene scene = Scene.active(1, 1);
        scene.node(0, 0).died("Error", 137, "");
        Plan plan = scene.plan();
        assertThat(only(plan, ValkeyAction.Failover.class).node()).isEqualTo(scene.node(0, 1).name);
        assertThat(reasons(plan))
                .contains("shard 0 has no primary and too few are left to elect one; replica " + scene.node(0, 1).name
                        + " takes over");
    }

    /** Caches of two kinds of objects are not equally fresh, so a pod that is missing may be new. */
    @Test
    void aPodThatIsMerelyMissingIsAliveWhileTheReplicaHasALinkToIt() {
        Scene scene = Scene.active(1, 1);
        SceneNode primary = scene.node(0, 0).vanished();
        SceneNode replica = scene.node(0, 1);
        replica.linkUp = false;
        replica.delusions.put(primary.id, Optional.of(livingLine(primary)));
        assertThat(takesOver(scene.plan())).isFalse();

        replica.delusions.clear();
        assertThat(takesOver(scene.plan())).isTrue();
    }

    @Test
    void aPrimaryOfWhomNothingIsLeftMayBeAPodThatHasNotToldItsId() {
        Scene scene = Scene.active(1, 1);
        SceneNode primary = scene.node(0, 0).vanished();
        primary.recorded = false;
        scene.node(0, 1).linkUp = false;
        assertThat(takesOver(scene.plan())).isTrue();

        SceneNode unheard = scene.add(0, 0);
        unheard.noted = false;
        unheard.answers = false;
        assertThat(takesOver(scene.plan())).isFalse();

        unheard.podExists = false;
        assertThat(takesOver(scene.plan())).isTrue();
    }

    @Test
    void anOrphanOfAPrimaryWithoutSlotsIsNamed() {
        Scene scene = Scene.active(2, 1);
        scene.shards = 3;
        SceneNode lead = scene.add(2, 0);
        lead.met = true;
        scene.add(2, 1).joinedUnder(lead).linkUp = false;
        lead.died("Error", 137, "");
        assertThat(reasons(scene.plan()))
                .contains(scene.node(2, 1).name
                        + " follows a dead node without slots; it becomes the primary of shard 2");
    }
}
