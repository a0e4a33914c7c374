package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What goes, and what is kept from going. */
class RetireTest {

    private static List<NodeName> deleted(Scene scene) {
        return actions(scene.plan(), KubernetesAction.DeletePod.class).stream()
                .map(KubernetesAction.DeletePod::name)
                .toList();
    }

    private static List<String> reasons(Scene scene) {
        return scene.plan().reasons().stream().map(Reason::text).toList();
    }

    /** The pod of a member's name is another than the one that its ValkeyNode names. */
    private static SceneNode impostor(Scene scene) {
        SceneNode node = scene.node(1, 1);
        node.notedPodUid = Optional.of("pod-before");
        return node;
    }

    @Test
    void aPodInThePlaceOfAnotherGoesIfItHoldsNothing() {
        Scene scene = Scene.active(3, 1);
        SceneNode impostor = impostor(scene);
        assertThat(deleted(scene)).containsExactly(impostor.name);

        impostor.answers = false;
        assertThat(deleted(scene)).isEmpty();
    }

    @Test
    void aPodInThePlaceOfAnotherStaysWhileItOwnsSlotsOrIsFollowed() {
        Scene scene = Scene.active(3, 1);
        SceneNode impostor = impostor(scene);
        impostor.follows = Optional.empty();
        impostor.slots = SlotSet.of(5);
        assertThat(deleted(scene)).isEmpty();

        impostor.slots = SlotSet.EMPTY;
        scene.node(2, 1).follows = Optional.of(impostor);
        assertThat(deleted(scene)).doesNotContain(impostor.name);
    }

    @Test
    void beforeTheFirstSlotWhatWasMadeFromEarlierInputsGoesAtOnce() {
        Scene scene = Scene.of(2, 0).withFreshNodes();
        scene.node(1, 0).template = Optional.of("00112233445566aa");
        List<KubernetesAction.DeletePod> pods = actions(scene.plan(), KubernetesAction.DeletePod.class);

        assertThat(pods).extracting(KubernetesAction.DeletePod::name).containsExactly(scene.node(1, 0).name);
        assertThat(pods).extracting(KubernetesAction.DeletePod::graceSeconds).containsExactly(0);
    }

    @Test
    void beforeTheFirstSlotTheNoteOfAMemberThatIsNoLongerWishedGoesToo() {
        Scene scene = Scene.of(2, 0).withFreshNodes();
        SceneNode planned = scene.node(1, 0);
        planned.podExists = false;
        planned.noted = false;
        scene.shards = 1;

        assertThat(actions(scene.plan(), KubernetesAction.DeleteRecord.class))
                .extracting(KubernetesAction.DeleteRecord::name)
                .containsExactly(planned.name);
    }

    /** A replica and its successor on one seat, both in sync; the other replica is what the test bends. */
    private static Scene replaced() {
        Scene scene = Scene.active(1, 2);
        SceneNode old = scene.node(0, 1);
        old.template = Optional.of("00112233445566aa");
        scene.add(0, 1).joinedUnder(scene.node(0, 0)).replaces = Optional.of(old.name);
        return scene;
    }

    @Test
    void aReplacedReplicaGoesOnceItsSuccessorIsInSync() {
        Scene scene = replaced();
        NodeName old = scene.nodes.get(1).name;
        assertThat(deleted(scene)).containsExactly(old);
        assertThat(reasons(scene)).contains(old + " leaves once " + scene.node(0, 1).name + " has taken its place");

        scene.node(0, 1).linkUp = false;
        assertThat(deleted(scene)).isEmpty();
    }

    @Test
    void aReplacedReplicaStaysWhileAnotherOfItsShardIsNotInSync() {
        Scene scene = replaced();
        scene.node(0, 2).linkUp = false;
        assertThat(deleted(scene)).isEmpty();
    }

    @Test
    void aReplacedReplicaStaysWhileThePrimaryServesNoClient() {
        Scene scene = replaced();
        scene.node(0, 0).clusterOk = false;
        assertThat(deleted(scene)).isEmpty();
    }

    @Test
    void ofSurplusReplicasThoseOfEarlierInputsGoFirst() {
        for (int outdated : List.of(1, 2)) {
            Scene scene = Scene.active(1, 2);
            scene.replicas = 1;
            scene.node(0, outdated).template = Optional.of("00112233445566aa");
            assertThat(deleted(scene)).containsExactly(scene.node(0, outdated).name);
            assertThat(reasons(scene)).contains("removing surplus replica " + scene.node(0, outdated).name);
        }
    }

    @Test
    void ofSurplusReplicasThoseWithoutACopyGoBeforeAll() {
        for (int empty : List.of(1, 2)) {
            Scene scene = Scene.active(1, 2);
            scene.replicas = 1;
            scene.node(0, empty).linkUp = false;
            assertThat(deleted(scene)).containsExactly(scene.node(0, empty).name);
        }
    }

    /** Shard 1 of 2 leaves and is drained. */
    private static Scene drained() {
        Scene scene = Scene.active(2, 1);
        scene.shards = 1;
        scene.node(0, 0).slots = SlotSet.ALL;
        scene.node(1, 0).slots = SlotSet.EMPTY;
        return scene;
    }

    @Test
    void aDrainedShardLeavesWithAllOfItsMembers() {
        Scene scene = drained();
        assertThat(deleted(scene)).containsExactlyInAnyOrder(scene.node(1, 0).name, scene.node(1, 1).name);
        assertThat(reasons(scene)).contains("shard 1 leaves with 2 nodes once it is drained");
    }

    @Test
    void aDrainedShardStaysWhileOneOfItIsSilent() {
        Scene scene = drained();
        scene.node(1, 1).answers = false;
        assertThat(deleted(scene)).isEmpty();
    }

    @Test
    void aDrainedShardStaysWhileAMemberOfAnotherFollowsOneOfIt() {
        Scene scene = drained();
        scene.node(0, 1).follows = Optional.of(scene.node(1, 0));
        assertThat(deleted(scene)).isEmpty();
    }

    /** Who is said to leave of two on one seat. */
    private static String leaves(SceneNode goes, SceneNode stays) {
        return goes.name + " leaves once " + stays.name + " has taken its place";
    }

    @Test
    void ofTwoOnASeatTheOwnerOfTheSlotsStays() {
        Scene scene = Scene.active(1, 1);
        SceneNode owner = scene.node(0, 0);
        SceneNode other = scene.add(0, 0).joinedUnder(owner);
        assertThat(reasons(scene)).contains(leaves(other, owner));

        owner.follows = Optional.of(other);
        other.follows = Optional.empty();
        scene.node(0, 1).follows = Optional.of(other);
        other.slots = SlotSet.ALL;
        owner.slots = SlotSet.EMPTY;
        assertThat(reasons(scene)).contains(leaves(owner, other));
    }

    @Test
    void ofTwoReplicasOnASeatTheOneThatAnswersOrIsInSyncStays() {
        Scene scene = Scene.active(1, 1);
        SceneNode first = scene.node(0, 1);
        SceneNode second = scene.add(0, 1).joinedUnder(scene.node(0, 0));
        assertThat(reasons(scene)).contains(leaves(second, first));

        first.linkUp = false;
        assertThat(reasons(scene)).contains(leaves(first, second));
        second.answers = false;
        assertThat(reasons(scene)).contains(leaves(second, first));
    }
}
