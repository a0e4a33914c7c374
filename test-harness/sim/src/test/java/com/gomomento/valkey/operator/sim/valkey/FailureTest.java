package com.gomomento.valkey.operator.sim.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who dies or falls silent, and what the others make of it. */
class FailureTest {

    private static final int SLOT = 0;

    @ParameterizedTest
    @CsvSource({"2000, 2500, 4600", "5000, 5500, 9000", "15000, 15500, 24000"})
    void aKilledPrimaryIsReplacedAfterTheNodeTimeoutAndAnElection(long timeout, long least, long most) {
        for (var version : Stream.of(World.V8_1, World.V9_1).toList()) {
            World world = new World(3, version, timeout);
            world.form(3, 1);
            world.network.kill(world.server(0));
            long took = world.passUntil(
                    "a new primary everywhere",
                    40_000,
                    () -> world.network.running().stream()
                            .allMatch(server -> server.report()
                                            .view()
                                            .of(world.server(3).id())
                                            .orElseThrow()
                                            .slots()
                                            .contains(SLOT)
                                    && server.report().clusterOk()));
            assertThat(took).as("with %s", version).isBetween(least, most);
            assertThat(world.servingSlot(SLOT)).contains(world.server(3));
        }
    }

    @Test
    void deadPrimariesStaySuspectedForEverWhenMostOfThemDied() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        world.network.kill(world.server(0));
        world.network.kill(world.server(1));
        world.pass(120_000);
        var report = world.server(2).report();
        assertThat(report.clusterOk()).isFalse();
        assertThat(report.view().of(world.server(0).id()).orElseThrow().health())
                .isEqualTo(Health.SUSPECTED);
        assertThat(world.server(3).report().role()).isEqualTo(Role.REPLICA);
    }

    @Test
    void withoutAMajorityOnlyATakeoverHelps() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        world.network.kill(world.server(0));
        world.network.kill(world.server(1));
        world.pass(10_000);
        assertThat(world.server(3).failover(Server.Failover.GRACEFUL).text())
                .isEqualTo("ERR Master is down or failed, please use CLUSTER FAILOVER FORCE");
        World.done(world.server(3).failover(Server.Failover.FORCE));
        world.pass(6000);
        assertThat(world.server(3).report().role()).isEqualTo(Role.REPLICA);
        World.done(world.server(3).failover(Server.Failover.TAKEOVER));
        World.done(world.server(4).failover(Server.Failover.TAKEOVER));
        world.passUntil(
                "all serve",
                6000,
                () -> world.network.running().stream()
                        .allMatch(server -> server.report().clusterOk()));
        assertThat(world.servingSlot(SLOT)).contains(world.server(3));
    }

    @Test
    void aFrozenPrimaryComesBackAsTheReplicaOfItsSuccessor() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        World.done(world.server(0).write(SLOT, 1, 5));
        world.pass(100);
        world.network.freeze(world.server(0));
        world.passUntil("a successor", 10_000, () -> world.server(3).report().role() == Role.PRIMARY);
        World.done(world.server(3).write(SLOT, 1, 6));
        world.network.thaw(world.server(0));
        world.passUntil("peace", 10_000, world::atPeace);
        assertThat(world.server(0).report().role()).isEqualTo(Role.REPLICA);
        assertThat(world.server(0).keys()).containsValue(6L);
    }

    @Test
    void whatAStalePrimaryTakesWhileItIsCutOffIsLost() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        for (Server other : world.servers()) {
            world.network.cut(world.server(0).ip(), other.ip());
        }
        world.pass(100);
        World.done(world.server(0).write(SLOT, 1, 9));
        world.passUntil("a successor", 10_000, () -> world.server(3).report().role() == Role.PRIMARY);
        assertThat(world.server(0).write(SLOT, 1, 10).kind()).isEqualTo(Reply.Kind.CLUSTERDOWN);
        for (Server other : world.servers()) {
            world.network.mend(world.server(0).ip(), other.ip());
        }
        world.passUntil("peace", 15_000, world::atPeace);
        assertThat(world.server(0).keys()).isEmpty();
        assertThat(world.server(3).read(SLOT, 1).version()).isZero();
    }

    @Test
    void ofTwoReplicasTheOneWithMoreDataIsElected() {
        World world = World.of(World.V9_1);
        world.form(3, 2);
        Server primary = world.server(0);
        Server behind = world.server(3);
        Server ahead = world.server(4);
        world.network.cut(primary.ip(), behind.ip());
        World.done(primary.write(SLOT, 1, 1));
        world.pass(50);
        assertThat(ahead.keys()).hasSize(1);
        world.network.kill(primary);
        world.passUntil("a new primary", 10_000, () -> world.servingSlot(SLOT).isPresent());
        assertThat(world.servingSlot(SLOT)).contains(ahead);
        world.passUntil("peace", 60_000, () -> behind.inSyncWith(ahead));
        assertThat(behind.keys()).hasSize(1);
    }

    @Test
    void aReplicaThatWasNeverInSyncIsNotElected() {
        World world = World.of(World.V9_1);
        world.form(3, 0);
        Server newcomer = world.start();
        World.done(world.server(0).meet(newcomer.ip()));
        world.passUntil(
                "acquaintance",
                5000,
                () -> newcomer.report().view().knows(world.server(0).id()));
        world.network.freeze(world.server(0));
        World.done(newcomer.replicate(world.server(0).id()));
        world.pass(500);
        world.network.kill(world.server(0));
        world.pass(30_000);
        assertThat(newcomer.report().role()).isEqualTo(Role.REPLICA);
        assertThat(world.servingSlot(SLOT)).isEmpty();
    }

    @Test
    void aReplicaBecomesEmptyWithAnEmptyPrimaryThatItIsToldToFollow() {
        World world = World.of(World.V9_1);
        world.form(1, 1);
        World.done(world.server(0).write(SLOT, 1, 1));
        Server empty = world.start();
        World.done(world.server(0).meet(empty.ip()));
        world.passUntil(
                "acquaintance", 5000, () -> world.server(1).report().view().knows(empty.id()));
        World.done(world.server(1).replicate(empty.id()));
        world.passUntil("the copy", 5000, () -> world.server(1).inSyncWith(empty));
        assertThat(world.server(1).keys()).isEmpty();
    }

    @Test
    void theOtherSlotsAreServedWhileAShardWithoutReplicasIsGone() {
        World world = World.of(World.V8_1);
        world.form(3, 0);
        world.network.kill(world.server(0));
        world.pass(20_000);
        assertThat(world.server(1).report().clusterOk()).isTrue();
        assertThat(world.server(2).write(16383, 1, 1)).isEqualTo(Reply.OK);
        assertThat(world.server(2).write(SLOT, 1, 1).kind()).isEqualTo(Reply.Kind.MOVED);
    }
}
