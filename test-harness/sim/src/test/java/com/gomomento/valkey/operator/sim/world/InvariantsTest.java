package com.gomomento.valkey.operator.sim.world;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.sim.check.Roster;
import com.gomomento.valkey.operator.sim.check.Truth;
import com.gomomento.valkey.operator.sim.check.Violation;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener.Verb;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Does in a world that stands what no operator may do, and looks whether it is noticed. */
class InvariantsTest {

    private static final ClusterKey CACHE = new ClusterKey("shop", "cache");

    private World world = world(1);

    private static World world(int replicas) {
        return new World(
                new Scenario(7, 1, 3, List.of(new Scenario.ClusterPlan(CACHE, "9.1.2", 3, replicas)), List.of(), 0),
                false);
    }

    @BeforeEach
    void stands() {
        world.begin();
        world.timeline().passUntil(40_000);
    }

    private List<Roster.Instance> processes() {
        return world.roster().existing(cluster().uid());
    }

    private Roster.Instance primary(int shard) {
        return processes().stream()
                .filter(process -> process.shard().index() == shard)
                .filter(process -> !Truth.ownSlots(process.server()).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private Roster.Instance replica(int shard) {
        return processes().stream()
                .filter(process -> process.shard().index() == shard)
                .filter(process -> Truth.ownSlots(process.server()).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private Stored cluster() {
        return world.api().get(ObjectKey.cluster(CACHE)).orElseThrow();
    }

    private static NodeName name(Roster.Instance process) {
        return new NodeName(process.pod().name());
    }

    private void deletePodOf(Roster.Instance process) {
        Stored pod = world.api().get(process.pod()).orElseThrow();
        world.invariants().wrote(Verb.DELETE, pod, pod);
    }

    private void noticed(String invariant, ThrowingCallable deed) {
        assertThatThrownBy(deed).isInstanceOf(Violation.class).hasMessageStartingWith(invariant);
    }

    @Test
    void nothingIsWrongWithAWorldThatStands() {
        assertThatCode(() -> {
                    world.invariants().moment();
                    world.invariants().lastCopy().atTheEnd();
                })
                .doesNotThrowAnyException();
    }

    @Test
    void aClaimOfSlotsThatAnotherHasIsNoticed() {
        Roster.Instance claimant = primary(0);
        SlotSet slots = Truth.ownSlots(primary(1).server());
        noticed(
                "S1",
                () -> world.invariants()
                        .beforeCommand(
                                new ValkeyAction.ClaimSlots(
                                        name(claimant), claimant.server().id(), slots, new ConfigEpoch(9)),
                                claimant.server()));
    }

    @Test
    void aCommandThatTakesSlotsOutOfServiceIsNoticed() {
        Roster.Instance primary = primary(0);
        ValkeyAction action = new ValkeyAction.Meet(
                name(primary),
                primary.server().id(),
                List.of(new ValkeyAction.Peer(
                        name(primary(1)),
                        primary(1).server().id(),
                        primary(1).server().ip())));
        noticed("S2", () -> {
            world.invariants().beforeCommand(action, primary.server());
            world.network().freeze(primary(2).server());
            world.invariants().afterCommand(action, primary.server());
        });
    }

    @Test
    void theDeletionOfAPrimaryBeforeItsReplacementIsNoticed() {
        noticed("S4", () -> deletePodOf(primary(0)));
    }

    /** Asked of the one invariant alone: that the owner of slots is deleted would be noticed by S4 before. */
    @Test
    void theDeletionOfTheLastCopyIsNoticed() {
        world = world(0);
        stands();
        Stored pod = world.api().get(primary(0).pod()).orElseThrow();
        noticed("S3", () -> world.invariants().lastCopy().wrote(Verb.DELETE, pod, pod));
    }

    @Test
    void aTakeOverFromALivingPrimaryIsNoticed() {
        Roster.Instance replica = replica(0);
        noticed(
                "S5",
                () -> world.invariants()
                        .beforeCommand(
                                new ValkeyAction.Failover(
                                        name(replica),
                                        replica.server().id(),
                                        primary(0).server().id(),
                                        ValkeyAction.Failover.Mode.TAKEOVER),
                                replica.server()));
    }

    @Test
    void forgettingALivingNodeIsNoticed() {
        Roster.Instance teller = primary(0);
        noticed(
                "S9",
                () -> world.invariants()
                        .beforeCommand(
                                new ValkeyAction.Forget(
                                        name(teller),
                                        teller.server().id(),
                                        replica(1).server().id(),
                                        Optional.empty(),
                                        false),
                                teller.server()));
    }

    @Test
    void aWriteToWhatNoClusterOwnsIsNoticed() {
        world.api()
                .create(
                        new ObjectKey(cluster().key().kind(), "shop", "other"),
                        cluster().content());
        ObjectKey foreign = ObjectKey.catalog(com.gomomento.valkey.operator.sim.kubernetes.Kind.CONFIG, "foreign");
        world.api().create(foreign, World.configOf("9.1.2", ServerWish.FIRST));
        Stored object = world.api().get(foreign).orElseThrow();
        noticed("S14", () -> world.invariants().wrote(Verb.UPDATE, object, object));
    }

    @Test
    void aStatusThatCallsABrokenClusterActiveIsNoticed() {
        Stored before = cluster();
        ClusterStatus said = before.cluster().status().orElseThrow();
        world.operators().forEach(operator -> operator.crash(1_000_000));
        world.network().kill(replica(0).server());
        // Long enough that no observation of better days can be an excuse.
        world.timeline().passUntil(90_000);
        ClusterStatus updating = new ClusterStatus(
                ClusterState.UPDATING,
                "",
                said.observedGeneration(),
                said.conditions(),
                said.shards(),
                said.nodes(),
                said.readyNodes(),
                said.desiredNodes(),
                said.slotsAssigned(),
                said.version(),
                said.endpoint());
        world.api().change(before.key(), before.uid(), content -> with(content, updating));
        Stored earlier = cluster();
        world.api().change(before.key(), before.uid(), content -> with(content, said));
        noticed("S18", () -> world.invariants().wrote(Verb.UPDATE, earlier, cluster()));
    }

    private static Content with(Content content, ClusterStatus status) {
        Content.Cluster cluster = (Content.Cluster) content;
        return new Content.Cluster(cluster.wish(), cluster.generation(), cluster.formedAt(), Optional.of(status));
    }

    @Test
    void aPasswordInTheJournalIsNoticed() {
        noticed(
                "S19",
                () -> world.invariants()
                        .told(new Journal.Entry(
                                Journal.Level.INFO,
                                "operator",
                                "said",
                                new LinkedHashMap<>(Map.of("error", "password-1")))));
    }

    @Test
    void aSafeWriteThatIsGoneIsNoticed() {
        Roster.Instance primary = primary(0);
        int slot = Truth.ownSlots(primary.server()).ranges().getFirst().first();
        primary.server().write(slot, 0, 5);
        world.invariants().lastCopy().acknowledged(cluster().uid(), slot, 0, 5);
        world.timeline().passUntil(world.timeline().nowMillis() + 1_000);
        primary.server().write(slot, 0, 4);
        noticed("S3", () -> world.invariants().lastCopy().atTheEnd());
    }
}
