package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus.Condition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users and their alerts read. */
class StatusTest {

    private static Condition condition(ClusterStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anActiveClusterIsReadyAndNotProgressing() {
        ClusterStatus status = Scene.active(3, 1).plan().status();
        assertThat(status.state()).isEqualTo(ClusterState.ACTIVE);
        assertThat(condition(status, "Ready")).isEqualTo(new Condition("Ready", true, "Active", ""));
        assertThat(condition(status, "Progressing")).isEqualTo(new Condition("Progressing", false, "Active", ""));
        assertThat(status.shards()).isEqualTo(3);
    }

    @Test
    void aClusterUnderWaySaysWhatItWaitsForInBothConditions() {
        Scene scene = Scene.active(3, 1);
        scene.node(0, 1).died("Error", 137, "");
        ClusterStatus updating = scene.plan().status();
        assertThat(condition(updating, "Ready"))
                .isEqualTo(new Condition("Ready", false, "Updating", updating.message()));
        assertThat(condition(updating, "Progressing"))
                .isEqualTo(new Condition("Progressing", true, "Updating", updating.message()));

        ClusterStatus creating = Scene.of(3, 1).plan().status();
        assertThat(creating.message()).isNotEmpty();
        assertThat(condition(creating, "Progressing"))
                .isEqualTo(new Condition("Progressing", true, "Creating", creating.message()));
    }

    @Test
    void anUnusableWishIsNeitherReadyNorProgressing() {
        Scene scene = Scene.of(3, 1);
        scene.unusable = Optional.of("ValkeyConfig config does not exist");
        ClusterStatus status = scene.plan().status();

        assertThat(status.state()).isEqualTo(ClusterState.INVALID);
        assertThat(status.desiredNodes()).isEqualTo(6);
        assertThat(condition(status, "Ready").holds()).isFalse();
        assertThat(condition(status, "Progressing")).isEqualTo(new Condition("Progressing", false, "Invalid", ""));
    }

    @Test
    void onlyShardsWithALivingOwnerAreCounted() {
        Scene scene = Scene.active(3, 1);
        scene.node(1, 0).died("Error", 137, "");
        assertThat(scene.plan().status().shards()).isEqualTo(2);
    }

    @Test
    void threeReasonsAreShownAndTheRestIsCounted() {
        Scene scene = Scene.active(3, 1);
        scene.nodes.forEach(node -> node.ready = false);
        scene.node(0, 1).died("Error", 137, "");
        scene.node(1, 1).answers = false;
        Plan plan = scene.plan();

        int reasons = plan.reasons().size();
        assertThat(reasons).isGreaterThan(3);
        assertThat(plan.status().message()).endsWith("; and " + (reasons - 3) + " more");
        assertThat(plan.status().message())
                .startsWith(plan.reasons().get(0).text() + "; "
                        + plan.reasons().get(1).text() + "; ");
    }

    @Test
    void aMessageIsCutToWhatKubernetesTakes() {
        Scene scene = Scene.active(1, 1);
        SceneNode blocked = scene.node(0, 1);
        blocked.phase = PodView.Phase.PENDING;
        blocked.noted = false;
        blocked.trouble = Optional.of(new PodView.Unschedulable("x".repeat(2000)));
        String message = scene.plan().status().message();

        assertThat(message).hasSize(1024).contains("x...");
    }

    private static ClusterStatus withLoss(ClusterStatus status, String sentence) {
        return new ClusterStatus(
                status.state(),
                status.message(),
                status.observedGeneration(),
                List.of(
                        new Condition("Ready", false, "Updating", "not this one"),
                        new Condition("DataLost", true, "NoCopyLeft", sentence)),
                status.shards(),
                status.nodes(),
                status.readyNodes(),
                status.desiredNodes(),
                status.slotsAssigned(),
                status.version(),
                status.endpoint());
    }

    @Test
    void whatWasLostBeforeIsToldBesideWhatIsLostNow() {
        Scene scene = Scene.active(3, 0);
        scene.node(0, 0).vanished();
        ClusterStatus first = scene.plan().status();
        String now = condition(first, "DataLost").message();
        assertThat(now).contains("every copy of shard 0 was lost");

        assertThat(condition(scene.plan(withLoss(first, "earlier")).status(), "DataLost")
                        .message())
                .isEqualTo("earlier; " + now);
        assertThat(condition(scene.plan(withLoss(first, now)).status(), "DataLost")
                        .message())
                .isEqualTo(now);
        assertThat(condition(scene.plan(withLoss(first, "x".repeat(1020))).status(), "DataLost")
                        .message())
                .isEqualTo(now);
        int room = 1024 - now.length() - 2;
        assertThat(condition(scene.plan(withLoss(first, "x".repeat(room))).status(), "DataLost")
                        .message())
                .isEqualTo("x".repeat(room) + "; " + now);
    }
}
