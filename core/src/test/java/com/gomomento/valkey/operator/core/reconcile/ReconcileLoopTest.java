package com.gomomento.valkey.operator.core.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.Action;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.Ledger;
import com.gomomento.valkey.operator.core.plan.Plan;
import com.gomomento.valkey.operator.core.plan.Planner;
import com.gomomento.valkey.operator.core.plan.Planning;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.core.port.KubernetesPort;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One step from observation to status, between ports that say what each test has them say. */
class ReconcileLoopTest {

    private static final ClusterKey KEY = new ClusterKey("shop", "cache");
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final NodeName NAME = new NodeName("cache-00001");
    private static final NodeId ME = new NodeId("%040x".formatted(1));
    private static final NodeId PRIMARY = new NodeId("%040x".formatted(2));
    private static final Ledger REMEMBERED =
            Ledger.EMPTY.withResults(Map.of("x", new Ledger.Refusal("no", NOW.plusSeconds(99))), Map.of(), Map.of());
    private static final ActionResult APPLIED = new ActionResult.Applied();
    private static final ActionResult DONE = new ActionResult.AlreadyDone();
    private static final KubernetesAction SERVICE = new KubernetesAction.ApplyService();
    private static final ValkeyAction FAILOVER =
            new ValkeyAction.Failover(NAME, ME, PRIMARY, ValkeyAction.Failover.Mode.GRACEFUL);
    private static final ValkeyAction REPLICATE = new ValkeyAction.Replicate(NAME, ME, PRIMARY);

    private final List<String> told = new ArrayList<>();
    private final List<Action> done = new ArrayList<>();
    private final List<ValkeyPort.Target> asked = new ArrayList<>();
    private final List<ClusterStatus> published = new ArrayList<>();
    private final SortedMap<NodeName, PodView> pods = new TreeMap<>();
    private Optional<Credentials> credentials = Optional.empty();
    private KubernetesPort.Snapshot snapshot = present(false);
    private ActionResult ofActions = APPLIED;
    private ActionResult ofPublish = APPLIED;
    private int missingResults;

    private KubernetesPort.Present present(boolean deleting) {
        ClusterDeclaration declaration = new ClusterDeclaration(
                KEY,
                "uid-1",
                1,
                deleting,
                Optional.empty(),
                "config",
                3,
                1,
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                new TreeMap<>(),
                List.of(),
                new TreeMap<>(),
                false);
        Catalog catalog = new Catalog(
                new TreeMap<>(Map.of(
                        "config",
                        new Catalog.Usable<>(new Catalog.Config(
                                Optional.empty(),
                                Optional.of("image"),
                                Optional.of("1"),
                                Optional.of("1Gi"),
                                new TreeMap<>())))),
                new TreeMap<>(Map.of("image", new Catalog.Usable<>(new Catalog.Image("valkey/valkey:9.1.2", "9.1.2")))),
                new TreeMap<>());
        KubernetesView view = new KubernetesView(
                new TreeMap<>(), pods, false, Optional.empty(), credentials, Optional.empty(), OptionalInt.empty());
        return new KubernetesPort.Present(declaration, catalog, view, Optional.empty());
    }

    private <A extends Action> List<ActionResult> run(List<A> actions) {
        done.addAll(actions);
        return Collections.nCopies(actions.size() - missingResults, ofActions);
    }

    private ReconcileLoop.Outcome step(Planning planning, Ledger ledger) {
        KubernetesPort kubernetes = new KubernetesPort() {
            @Override
            public Snapshot observe(ClusterKey key) {
                return snapshot;
            }

            @Override
            public List<ActionResult> execute(ClusterDeclaration owner, List<KubernetesAction> actions) {
                return run(actions);
            }

            @Override
            public ActionResult publish(
                    ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus status) {
                published.add(status);
                return ofPublish;
            }
        };
        ValkeyPort valkey = new ValkeyPort() {
            @Override
            public SortedMap<NodeName, NodeReport> observe(List<Target> targets) {
                asked.addAll(targets);
                return new TreeMap<>();
            }

            @Override
            public List<ActionResult> execute(SortedMap<NodeName, Target> targets, List<ValkeyAction> actions) {
                return run(actions);
            }
        };
        Journal journal = entry -> told.add(entry.level() + " " + entry.message() + " " + entry.fields());
        return new ReconcileLoop(kubernetes, valkey, journal, ZoneSpread.BEST_EFFORT, planning).step(KEY, ledger, NOW);
    }

    /** The real plan with these actions alone, looked at again after four seconds. */
    private static Planning only(Action... actions) {
        return (declaration, resolution, observation, before, ledger, now) -> {
            Plan plan = Planner.plan(declaration, resolution, observation, before, ledger, now);
            return new Plan(
                    List.of(actions), plan.status(), Duration.ofSeconds(4), plan.reasons(), List.of(), plan.ledger());
        };
    }

    @Test
    void aClusterThatIsGoneIsForgotten() {
        snapshot = new KubernetesPort.Gone();
        assertThat(step(Planner::plan, REMEMBERED))
                .isEqualTo(new ReconcileLoop.Outcome(Ledger.EMPTY, Duration.ZERO, true));
    }

    @Test
    void aClusterThatCannotBeDecodedIsNamedAndLeftAlone() {
        snapshot = new KubernetesPort.Undecodable("spec.shards is a text");
        assertThat(step(Planner::plan, REMEMBERED))
                .isEqualTo(new ReconcileLoop.Outcome(REMEMBERED, Duration.ofSeconds(30), false));
        assertThat(told)
                .containsExactly("WARN reconcile error, requeuing {cluster_name=cache,"
                        + " error=ValkeyCluster cannot be decoded: spec.shards is a text}");
        assertThat(done).isEmpty();
    }

    @Test
    void aClusterThatIsBeingDeletedIsLeftToKubernetes() {
        snapshot = present(true);
        assertThat(step(Planner::plan, REMEMBERED))
                .isEqualTo(new ReconcileLoop.Outcome(REMEMBERED, Duration.ofSeconds(30), false));
        assertThat(done).isEmpty();
        assertThat(published).isEmpty();
    }

    @Test
    void whatIsMissingIsMadeAndTheStatusSaysSo() {
        ReconcileLoop.Outcome outcome = step(Planner::plan, Ledger.EMPTY);

        assertThat(done)
                .extracting(Action::key)
                .contains("apply Service", "apply ConfigMap", "create credentials Secret", "apply PodDisruptionBudget");
        assertThat(published).extracting(ClusterStatus::state).containsExactly(ClusterState.CREATING);
        assertThat(told)
                .contains(
                        "INFO ACL reconcile tick {cluster_name=cache}",
                        "INFO creating headless Service {cluster_name=cache}");
        assertThat(outcome.gone()).isFalse();
        assertThat(outcome.ledger().lastGood()).isPresent();
    }

    @Test
    void afterAChangeTheNextLookComesAtOnceAndAfterANoOpSoon() {
        assertThat(step(only(SERVICE), Ledger.EMPTY).requeueAfter()).isEqualTo(Duration.ofMillis(10));
        ofActions = DONE;
        assertThat(step(only(SERVICE), Ledger.EMPTY).requeueAfter()).isEqualTo(Duration.ofMillis(250));
        ofActions = new ActionResult.Rejected("quota");
        assertThat(step(only(SERVICE), Ledger.EMPTY).requeueAfter()).isEqualTo(Duration.ofSeconds(4));
        assertThat(step(only(), Ledger.EMPTY).requeueAfter()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void aLookThatIsDueEarlierIsNotPutOff() {
        Planning soon = (declaration, resolution, observation, before, ledger, now) -> {
            Plan plan = only(SERVICE).plan(declaration, resolution, observation, before, ledger, now);
            return new Plan(
                    plan.actions(), plan.status(), Duration.ofMillis(3), plan.reasons(), plan.events(), plan.ledger());
        };
        assertThat(step(soon, Ledger.EMPTY).requeueAfter()).isEqualTo(Duration.ofMillis(3));
    }

    @Test
    void aRefusalIsToldAndRememberedAndClearedByASuccess() {
        ofActions = new ActionResult.Rejected("quota");
        Ledger after = step(only(SERVICE, REPLICATE), Ledger.EMPTY).ledger();

        assertThat(after.refusals())
                .containsOnlyKeys(SERVICE.key(), REPLICATE.key())
                .containsEntry(SERVICE.key(), new Ledger.Refusal("quota", NOW.plusSeconds(10)));
        assertThat(told)
                .containsExactly(
                        "WARN reconcile error, requeuing {cluster_name=cache, action=apply Service, error=quota}",
                        "WARN reconcile error, requeuing {cluster_name=cache, action=replicate " + NAME
                                + ", error=quota}");
        ofActions = APPLIED;
        assertThat(step(only(SERVICE, REPLICATE), after).ledger().refusals()).isEmpty();
    }

    @Test
    void aCommandWithoutAnAnswerIsTriedSoonerAndMayHaveBeenDone() {
        ofActions = new ActionResult.Unknown("time-out");
        Ledger after = step(only(FAILOVER, REPLICATE), Ledger.EMPTY).ledger();

        assertThat(after.refusals()).containsEntry(FAILOVER.key(), new Ledger.Refusal("time-out", NOW.plusSeconds(2)));
        assertThat(after.pending()).containsExactly(Map.entry(FAILOVER.key(), NOW.plusSeconds(5)));
        assertThat(told)
                .contains("WARN reconcile error, requeuing {cluster_name=cache, action=failover to " + NAME
                        + ", error=no answer, it may have been done: time-out}");
    }

    @Test
    void whatWasGivenIsPendingUntilItMustShow() {
        Ledger after = step(only(FAILOVER), Ledger.EMPTY).ledger();
        assertThat(after.pending()).containsExactly(Map.entry(FAILOVER.key(), NOW.plusSeconds(5)));
        assertThat(step(only(), after).ledger().pending()).isEqualTo(after.pending());

        Ledger shown = after.withResults(Map.of(), Map.of(FAILOVER.key(), NOW, "later", NOW.plusMillis(1)), Map.of());
        assertThat(step(only(), shown).ledger().pending()).containsOnlyKeys("later");
        ofActions = new ActionResult.Rejected("no");
        assertThat(step(only(FAILOVER), Ledger.EMPTY).ledger().pending()).isEmpty();
        ofActions = DONE;
        assertThat(step(only(FAILOVER), Ledger.EMPTY).ledger().pending()).isEmpty();
    }

    @Test
    void aStatusThatCouldNotBeWrittenIsTold() {
        ofPublish = new ActionResult.Rejected("another has written");
        step(only(), Ledger.EMPTY);
        ofPublish = new ActionResult.Unknown("time-out");
        step(only(), Ledger.EMPTY);
        ofPublish = DONE;
        step(only(), Ledger.EMPTY);

        assertThat(told)
                .containsExactly(
                        "WARN reconcile error, requeuing {cluster_name=cache, action=write status,"
                                + " error=another has written}",
                        "WARN reconcile error, requeuing {cluster_name=cache, action=write status, error=time-out}");
    }

    @Test
    void whatWasDoneIsToldAndWhatHadBeenDoneIsNot() {
        step(only(SERVICE), Ledger.EMPTY);
        assertThat(told).containsExactly("INFO creating headless Service {cluster_name=cache}");
        ofActions = DONE;
        step(only(SERVICE), Ledger.EMPTY);
        assertThat(told).hasSize(1);
    }

    @Test
    void anExecutorThatOwesAResultIsABrokenInvariant() {
        missingResults = 1;
        assertThatThrownBy(() -> step(only(SERVICE), Ledger.EMPTY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("1 actions gave 0 results");
    }

    private static PodView pod(String name, PodView.Phase phase, boolean terminating, Optional<String> ip) {
        return new PodView(
                new NodeName(name),
                "uid-" + name,
                new ShardId(0),
                phase,
                false,
                terminating,
                ip,
                NOW,
                Optional.empty(),
                "image",
                Optional.empty(),
                Optional.empty(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    @Test
    void onlyServersThatRunAreAskedAndOnlyWithAPassword() {
        for (PodView pod : List.of(
                pod("cache-00001", PodView.Phase.RUNNING, false, Optional.of("10.0.0.1")),
                pod("cache-00002", PodView.Phase.RUNNING, true, Optional.of("10.0.0.2")),
                pod("cache-00003", PodView.Phase.PENDING, false, Optional.of("10.0.0.3")),
                pod("cache-00004", PodView.Phase.RUNNING, false, Optional.empty()))) {
            pods.put(pod.name(), pod);
        }
        snapshot = present(false);
        step(only(), Ledger.EMPTY);
        assertThat(asked).isEmpty();

        SecretText password = SecretText.of("operator-pw");
        credentials = Optional.of(new Credentials(password, SecretText.of("other")));
        snapshot = present(false);
        step(only(), Ledger.EMPTY);
        assertThat(asked).containsExactly(new ValkeyPort.Target(NAME, "10.0.0.1", 6379, password));
    }
}
