package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.Ledger.DirectivesAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Directives are set at run time where servers take them so. */
class DirectivesTest {

    private static final Map<String, String> OLD = Map.of("maxclients", "1000");
    private static final Map<String, String> NEW = Map.of("maxclients", "2000", "hz", "20");

    /** A cluster that runs with the old directives while new ones are wished. */
    private static Scene changed(int shards, int replicas, Map<String, String> wish) {
        Scene scene = Scene.active(shards, replicas);
        scene.directives = new TreeMap<>(wish);
        scene.nodes.forEach(node -> runs(node, Directives.of(new TreeMap<>(OLD))));
        return scene;
    }

    private static void runs(SceneNode node, Directives directives) {
        node.directives = Optional.of(directives.text());
    }

    private static void doubts(SceneNode node) {
        runs(node, Directives.of(new TreeMap<>(OLD)).doubting(NEW.keySet()));
    }

    private static void says(Scene scene, SceneNode node, DirectivesAnswer answer) {
        Map<NodeName, DirectivesAnswer> answers = new TreeMap<>(scene.ledger.directives());
        answers.put(node.name, answer);
        scene.ledger = scene.ledger.withResults(Map.of(), Map.of(), answers);
    }

    private static DirectivesAnswer took() {
        return DirectivesAnswer.taken(new TreeMap<>(NEW), new TreeMap<>(NEW));
    }

    private static DirectivesAnswer refused(String words) {
        return DirectivesAnswer.refused(new TreeMap<>(NEW), words).orElseThrow();
    }

    private static Map<String, String> madeWith(Scene scene) {
        return only(scene.plan(), KubernetesAction.CreateMember.class)
                .spec()
                .server()
                .directives();
    }

    private static String marked(Plan plan) {
        return only(plan, KubernetesAction.MarkPod.class).annotations().getOrDefault(Markers.DIRECTIVES, "none");
    }

    @Test
    void oneReplicaIsAskedFirstAndItsPodTellsBeforeThatItIsInDoubt() {
        Scene scene = changed(3, 1, NEW);
        Plan doubting = scene.plan();
        assertThat(marked(doubting)).isEqualTo("?maxclients 1000\n?hz\n");
        assertThat(only(doubting, KubernetesAction.MarkPod.class).name()).isEqualTo(scene.node(0, 1).name);
        assertThat(actions(doubting, ValkeyAction.SetDirectives.class)).isEmpty();
        assertThat(doubting.status().message()).contains("setting new directives on 6 of 6 nodes at run time");

        doubts(scene.node(0, 1));
        Plan setting = scene.plan();
        ValkeyAction.SetDirectives set = only(setting, ValkeyAction.SetDirectives.class);
        assertThat(set.node()).isEqualTo(scene.node(0, 1).name);
        assertThat(set.changes()).isEqualTo(NEW);
        assertThat(setting.actions()).noneMatch(KubernetesAction.class::isInstance);
    }

    @Test
    void onceOneServerHasTakenThemNewMembersAreMadeWithThemAndAllOthersFollow() {
        Scene scene = changed(3, 1, NEW);
        scene.nodes.forEach(DirectivesTest::doubts);
        says(scene, scene.node(0, 1), took());
        Plan plan = scene.planAndRemember();
        assertThat(marked(plan)).isEqualTo("hz 20\nmaxclients 2000\n");
        assertThat(actions(plan, ValkeyAction.SetDirectives.class)).hasSize(5);

        scene.node(2, 1).phase = PodView.Phase.FAILED;
        assertThat(madeWith(scene)).isEqualTo(OLD);
        runs(scene.node(0, 1), Directives.of(new TreeMap<>(NEW)));
        assertThat(madeWith(scene)).isEqualTo(NEW);
    }

    @Test
    void whatAServerIsToldByOthersIsNoticedAndSetBack() {
        Scene scene = changed(1, 0, OLD);
        SceneNode node = scene.node(0, 0);
        node.tells = new TreeMap<>(OLD);
        KubernetesAction.MarkPod noted = only(scene.plan(), KubernetesAction.MarkPod.class);
        assertThat(noted.annotations()).isEqualTo(Map.of(Markers.DIRECTIVES_TOLD, "maxclients 1000\n"));

        node.told = Optional.of("maxclients 1000\n");
        assertThat(scene.plan().actions()).isEmpty();
        node.tells = new TreeMap<>(Map.of("maxclients", "5"));
        assertThat(marked(scene.plan())).isEqualTo("?maxclients 1000\n");
        node.directives = Optional.of("?maxclients 1000\n");
        assertThat(only(scene.plan(), ValkeyAction.SetDirectives.class).changes())
                .isEqualTo(OLD);
    }

    @Test
    void aValueThatIsRefusedMakesTheWishInvalidAndTouchesNothing() {
        Scene scene = changed(2, 1, NEW);
        doubts(scene.node(0, 1));
        says(scene, scene.node(0, 1), refused("ERR CONFIG SET failed (possibly related to argument 'hz') - too large"));
        Plan plan = scene.planAndRemember();

        assertThat(plan.status().state()).isEqualTo(ClusterState.INVALID);
        assertThat(plan.status().message()).contains("argument 'hz') - too large");
        assertThat(marked(plan)).isEqualTo("maxclients 1000\n");
        assertThat(plan.actions()).hasSize(1);
        runs(scene.node(0, 1), Directives.of(new TreeMap<>(OLD)));
        assertThat(scene.planAndRemember().actions()).isEmpty();
    }

    @Test
    void whileItIsRefusedALostMemberIsReplacedFromTheFileThatWorks() {
        Scene scene = changed(2, 1, NEW);
        says(scene, scene.node(0, 1), refused("ERR CONFIG SET failed (possibly related to argument 'hz') - too large"));
        scene.node(1, 1).phase = PodView.Phase.FAILED;
        KubernetesAction.CreateMember created = only(scene.plan(), KubernetesAction.CreateMember.class);

        assertThat(created.spec().server().directives()).isEqualTo(OLD);
    }

    @Test
    void theOldValuePutBackIsSetOnWhoeverIsInDoubt() {
        Scene scene = changed(2, 1, OLD);
        doubts(scene.node(0, 1));
        Plan plan = scene.plan();
        assertThat(plan.status().state()).isNotEqualTo(ClusterState.ACTIVE);
        // A directive that was not there before has no value to go back to.
        assertThat(only(plan, KubernetesAction.CreateMember.class).replaces()).contains(scene.node(0, 1).name);

        runs(scene.node(0, 1), Directives.of(new TreeMap<>(OLD)).doubting(OLD.keySet()));
        assertThat(only(scene.plan(), ValkeyAction.SetDirectives.class).changes())
                .isEqualTo(OLD);
    }

    @Test
    void whatIsReadAtTheStartOnlyIsRolled() {
        Scene scene = changed(2, 1, NEW);
        doubts(scene.node(0, 1));
        says(
                scene,
                scene.node(0, 1),
                refused("ERR CONFIG SET failed (possibly related to argument 'hz') - can't set immutable config"));
        Plan roll = scene.planAndRemember();
        assertThat(marked(roll)).isEqualTo("maxclients 1000\n");
        assertThat(only(roll, KubernetesAction.CreateMember.class)
                        .spec()
                        .server()
                        .directives())
                .isEqualTo(NEW);
        assertThat(actions(roll, ValkeyAction.SetDirectives.class)).isEmpty();
    }

    @Test
    void aReplacementMadeForThemStaysAlsoWhenTheAnswerIsForgotten() {
        Scene scene = changed(1, 1, NEW);
        SceneNode fresh = scene.add(0, 1).joinedUnder(scene.node(0, 0));
        fresh.replaces = Optional.of(scene.nodes.get(1).name);
        runs(fresh, Directives.of(new TreeMap<>(NEW)));

        assertThat(actions(scene.plan(), KubernetesAction.DeletePod.class))
                .extracting(KubernetesAction.DeletePod::name)
                .containsExactly(scene.nodes.get(1).name);
    }

    @Test
    void aDirectiveThatIsTakenOutIsRolledSinceOnlyAStartKnowsItsDefault() {
        Scene scene = changed(2, 1, Map.of());
        assertThat(actions(scene.plan(), ValkeyAction.SetDirectives.class)).isEmpty();

        assertThat(actions(scene.plan(), KubernetesAction.CreateMember.class)).hasSize(1);
    }

    @Test
    void quotedWordsAreRolledAndTheEmptyOneIsSet() {
        Directives running = Directives.of(new TreeMap<>(OLD));
        assertThat(running.changeTo(new TreeMap<>(Map.of("maxclients", "1000", "save", "\"\""))))
                .contains(new TreeMap<>(Map.of("save", "")));
        assertThat(running.changeTo(new TreeMap<>(Map.of("maxclients", "1000", "proc-title-template", "\"{title}\""))))
                .isEmpty();
    }

    @Test
    void theTextOnAPodIsReadAsItWasWritten() {
        for (Directives directives : List.of(
                Directives.of(new TreeMap<>()),
                Directives.of(new TreeMap<>(Map.of("save", "900 1 300 10", "notify-keyspace-events", ""))),
                Directives.of(new TreeMap<>(OLD)).doubting(NEW.keySet()))) {
            assertThat(Directives.parse(directives.text())).isEqualTo(directives);
        }
    }

    @Test
    void anOlderReleaseIsRefusedWhereAPrimaryRunsANewerOne() {
        Scene scene = Scene.active(2, 1);
        scene.version = "8.1.1";
        scene.nodes.forEach(node -> node.template = Optional.of("00000000000000aa"));
        scene.node(1, 0).version = "8.1.1";
        Plan plan = scene.plan();

        assertThat(plan.status().state()).isEqualTo(ClusterState.INVALID);
        assertThat(plan.status().message())
                .contains("version of the ValkeyImage is 8.1.1, and the primary of shard 0 runs 9.1.2")
                .contains("allowed is 9.1.0 or newer");
    }

    @Test
    void aShardThatKeepsItsReleaseIsRepairedWithIt() {
        Scene scene = Scene.active(2, 1);
        scene.version = "8.1.1";
        scene.node(0, 1).phase = PodView.Phase.FAILED;
        KubernetesAction.CreateMember created = actions(scene.plan(), KubernetesAction.CreateMember.class).stream()
                .filter(create -> create.shard().index() == 0)
                .findFirst()
                .orElseThrow();

        assertThat(created.spec().server().image()).isEqualTo("docker.io/valkey/valkey:9.1.2");
        assertThat(created.spec().server().version().toString()).isEqualTo("9.1.2");
    }
}
