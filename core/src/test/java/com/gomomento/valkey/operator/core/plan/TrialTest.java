package com.gomomento.valkey.operator.core.plan;

import static com.gomomento.valkey.operator.core.plan.Plans.actions;
import static com.gomomento.valkey.operator.core.plan.Plans.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What lost members are made from while what is wished can't run. */
class TrialTest {

    private static final String EARLIER_IMAGE = "docker.io/valkey/valkey:9.1.2";

    private final Scene scene = Scene.active(3, 1);

    /** The first member that is made from the wish, beside the one that it is to replace. */
    private final SceneNode first = successor(scene.node(0, 1));

    private SceneNode successor(SceneNode old) {
        SceneNode node = scene.add(old.shard, old.ordinal);
        node.replaces = Optional.of(old.name);
        node.noted = false;
        node.answers = false;
        node.createdAt = scene.now;
        return node;
    }

    private void lose(SceneNode node) {
        node.phase = PodView.Phase.FAILED;
        node.linkUp = false;
    }

    @Nested
    class AnImageThatCantBePulled {

        private String earlier;

        @BeforeEach
        void wish() {
            earlier = ServerConfig.template(scene.spec()).hex();
            scene.nodes.stream().filter(node -> node != first).forEach(node -> node.template = Optional.of(earlier));
            scene.version = "9.1.3";
            first.trouble = Optional.of(new PodView.Waiting("ErrImagePull", "not found"));
        }

        @Test
        void aLostReplicaElsewhereIsMadeFromTheEarlierOne() {
            lose(scene.node(2, 1));
            Plan plan = scene.planAndRemember();

            CreateMember made = only(plan, CreateMember.class);
            assertThat(made.shard().index()).isEqualTo(2);
            assertThat(made.spec().server().image()).isEqualTo(EARLIER_IMAGE);
            assertThat(made.template().hex()).isEqualTo(earlier);
            assertThat(plan.status().message())
                    .contains(
                            "what is wished can't run (ErrImagePull: not found), lost nodes are made from what the others");
        }

        @Test
        void theWishIsTriedAgainOnlyOnceTheNewMemberRuns() {
            SceneNode lost = scene.node(2, 1);
            lose(lost);
            scene.planAndRemember();
            scene.nodes.remove(first);
            SceneNode made = successor(lost);
            made.template = Optional.of(earlier);
            assertThat(actions(scene.planAndRemember(), CreateMember.class)).isEmpty();

            scene.nodes.remove(lost);
            made.noted = true;
            made.answers = true;
            made.joinedUnder(scene.node(2, 0));
            CreateMember next = only(scene.planAndRemember(), CreateMember.class);
            assertThat(next.shard().index()).isZero();
            assertThat(next.spec().server().image()).endsWith(":9.1.3");
        }

        @Test
        void withoutALossTheWishGoesOnWaiting() {
            Plan plan = scene.planAndRemember();
            assertThat(actions(plan, CreateMember.class)).isEmpty();
            assertThat(actions(plan, KubernetesAction.DeletePod.class)).isEmpty();
            assertThat(plan.status().message())
                    .contains("cannot start: ErrImagePull")
                    .doesNotContain("lost nodes");
        }

        @Test
        void aLossBeforeAnythingIsKnownAgainstTheWishFollowsTheWish() {
            first.trouble = Optional.empty();
            lose(scene.node(2, 1));
            assertThat(only(scene.plan(), CreateMember.class).spec().server().image())
                    .endsWith(":9.1.3");
        }

        @Test
        void whereTheEarlierOneFailsTooTheWishIsAllThereIs() {
            SceneNode lost = scene.node(2, 1);
            lose(lost);
            scene.planAndRemember();
            SceneNode made = successor(lost);
            made.template = Optional.of(earlier);
            made.trouble = Optional.of(new PodView.Waiting("ErrImagePull", "the registry is gone"));
            scene.planAndRemember();
            scene.nodes.remove(made);

            assertThat(only(scene.planAndRemember(), CreateMember.class)
                            .spec()
                            .server()
                            .image())
                    .endsWith(":9.1.3");
        }

        @Test
        void oneMemberThatRunsEndsAllDoubt() {
            lose(scene.node(2, 1));
            first.trouble = Optional.empty();
            first.noted = true;
            first.answers = true;
            first.joinedUnder(scene.node(0, 0));
            scene.ledger = doubted();

            Plan plan = scene.planAndRemember();
            assertThat(only(plan, CreateMember.class).spec().server().image()).endsWith(":9.1.3");
            assertThat(plan.ledger().doubt()).isEmpty();
        }

        private Ledger doubted() {
            Optional<PodView.Trouble> none = first.trouble;
            first.trouble = Optional.of(new PodView.Waiting("ErrImagePull", "not found"));
            first.answers = false;
            Ledger ledger = scene.plan().ledger();
            assertThat(ledger.doubt()).isPresent();
            first.trouble = none;
            first.answers = true;
            return ledger;
        }

        @Test
        void anOperatorThatHasJustStartedKnowsItFromThePods() {
            lose(scene.node(2, 1));
            assertThat(scene.ledger).isEqualTo(Ledger.EMPTY);
            assertThat(only(scene.plan(), CreateMember.class).spec().server().image())
                    .isEqualTo(EARLIER_IMAGE);
        }
    }

    @Nested
    class ADirectiveThatEndsTheServer {

        private static final SortedMap<String, String> EARLIER = new TreeMap<>(Map.of("databases", "16"));

        @BeforeEach
        void wish() {
            scene.directives = new TreeMap<>(EARLIER);
            scene.nodes.stream()
                    .filter(node -> node != first)
                    .forEach(node ->
                            node.directives = Optional.of(Directives.of(EARLIER).text()));
            scene.directives = new TreeMap<>(Map.of("no-such-directive", "yes"));
            first.died("Error", 1, "Bad directive or wrong number of arguments");
        }

        @Test
        void aLostReplicaElsewhereIsMadeWithTheEarlierOnes() {
            lose(scene.node(2, 1));
            CreateMember made = only(scene.planAndRemember(), CreateMember.class);
            assertThat(made.shard().index()).isEqualTo(2);
            assertThat(made.spec().server().directives()).isEqualTo(EARLIER);
        }

        @Test
        void nothingThatRunsIsToldTheEarlierDirectivesMeanwhile() {
            lose(scene.node(2, 1));
            scene.node(1, 1).directives = Optional.of(
                    Directives.of(new TreeMap<>(Map.of("databases", "8"))).text());
            Plan plan = scene.planAndRemember();
            assertThat(actions(plan, ValkeyAction.SetDirectives.class)).isEmpty();
            assertThat(actions(plan, KubernetesAction.MarkPod.class)).isEmpty();
        }

        @Test
        void aServerThatServedForLongIsNoEvidence() {
            first.createdAt = scene.now.minus(Duration.ofMinutes(5));
            lose(scene.node(2, 1));
            assertThat(scene.planAndRemember().ledger().doubt()).isEmpty();
        }
    }
}
