package com.gomomento.valkey.operator.sim.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import org.junit.jupiter.api.Test;

/** What commands do to a cluster at peace. */
class CommandTest {

    private static final int SLOT = 0;

    @Test
    void aGracefulFailoverFlipsTheRolesWithinMillisecondsAndLosesNothing() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        Server old = world.server(0);
        Server next = world.server(3);
        long version = 0;
        while (old.write(SLOT, 1, version + 1).done()) {
            version++;
            if (version == 20) {
                World.done(next.failover(Server.Failover.GRACEFUL));
            }
            world.timeline.passUntil(world.timeline.nowMillis() + 1);
        }
        long took = world.passUntil("a new primary", 200, () -> next.report().role() == Role.PRIMARY);
        assertThat(took).isLessThanOrEqualTo(60);
        world.passUntil("peace", 3000, world::atPeace);
        assertThat(next.read(SLOT, 1).version()).isEqualTo(version);
        assertThat(old.report().self().primary()).contains(next.id());
        assertThat(old.write(SLOT, 1, 99).text()).isEqualTo("MOVED 0 " + next.ip() + ":6379");
    }

    @Test
    void forgettingADeadNodeOnOneSpreadsToAllWithinSeconds() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        NodeId dead = world.server(5).id();
        world.network.kill(world.server(5));
        world.pass(6000);
        World.done(world.server(0).forget(dead));
        world.passUntil("forgotten by all", 2500, () -> nobodyKnows(world, dead));
        world.pass(70_000);
        assertThat(nobodyKnows(world, dead)).isTrue();
        assertThat(world.server(0).forget(dead).text()).isEqualTo("ERR Unknown node " + dead);
    }

    private static boolean nobodyKnows(World world, NodeId id) {
        return world.network.running().stream()
                .noneMatch(server -> server.report().view().lists(id));
    }

    @Test
    void forgettingANodeThatLivesIsUndoneWithinSeconds() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        Server alive = world.server(5);
        World.done(world.server(0).forget(alive.id()));
        world.pass(1000);
        assertThat(world.server(0).report().view().lists(alive.id())).isFalse();
        long took = world.passUntil(
                "known again", 12_000, () -> world.server(0).report().view().knows(alive.id()));
        assertThat(took + 1000).isBetween(2000L, 9000L);
        world.passUntil("peace", 75_000, world::atPeace);
    }

    @Test
    void aForgottenNodeThatIsMetWithinTheBanIsNotKnownToAllUntilItEnds() {
        World world = World.of(World.V9_1);
        world.form(3, 0);
        Server fresh = world.start();
        NodeId id = fresh.id();
        World.done(world.server(0).meet(fresh.ip()));
        world.passUntil(
                "all know it",
                10_000,
                () -> world.network.running().stream()
                        .allMatch(server -> server.report().view().knows(id)));
        world.network.cut(fresh.ip(), world.server(0).ip());
        world.network.cut(fresh.ip(), world.server(1).ip());
        world.network.cut(fresh.ip(), world.server(2).ip());
        World.done(world.server(0).forget(id));
        world.passUntil(
                "forgotten by all",
                5000,
                () -> !world.server(0).report().view().lists(id)
                        && !world.server(1).report().view().lists(id)
                        && !world.server(2).report().view().lists(id));
        for (int i = 0; i < 3; i++) {
            world.network.mend(fresh.ip(), world.server(i).ip());
        }
        World.done(world.server(0).meet(fresh.ip()));
        for (int second = 0; second < 40; second++) {
            world.pass(1000);
            assertThat(allKnow(world, id)).isFalse();
        }
        world.passUntil("known to all", 40_000, () -> allKnow(world, id));
    }

    private static boolean allKnow(World world, NodeId id) {
        return world.network.running().stream()
                .allMatch(server -> server.report().view().knows(id));
    }

    @Test
    void aNodeFollowsOnlyAKnownPrimaryAndOnlyWithoutSlots() {
        World world = World.of(World.V9_1);
        world.form(2, 1);
        NodeId stranger = new NodeId("ab".repeat(20));
        assertThat(world.server(2).replicate(stranger).text()).isEqualTo("ERR Unknown node " + stranger);
        assertThat(world.server(0).replicate(world.server(1).id()).text())
                .isEqualTo("ERR To set a master the node must be empty and without assigned slots.");
        assertThat(world.server(2).replicate(world.server(3).id()).text())
                .isEqualTo("ERR I can only replicate a master, not a replica.");
        assertThat(world.server(2).replicate(world.server(2).id()).text()).isEqualTo("ERR Can't replicate myself");
    }

    @Test
    void twoPrimariesThatClaimWithOneEpochEndWithTwo() {
        World world = World.of(World.V9_1);
        world.start();
        world.start();
        World.done(world.server(0).addSlots(SlotSet.share(0, 2)));
        World.done(world.server(1).addSlots(SlotSet.share(1, 2)));
        World.done(world.server(0).meet(world.server(1).ip()));
        world.passUntil(
                "peace", 10_000, () -> world.atPeace() && world.server(0).currentEpoch() > 0);
        assertThat(world.server(0).configEpoch()).isNotEqualTo(world.server(1).configEpoch());
    }

    @Test
    void ofTwoThatClaimASlotTheHigherEpochHasIt() {
        World world = World.of(World.V9_1);
        world.start();
        world.start();
        World.done(world.server(0).setConfigEpoch(1));
        World.done(world.server(1).setConfigEpoch(2));
        World.done(world.server(0).addSlots(SlotSet.ALL));
        World.done(world.server(1).addSlots(SlotSet.of(9)));
        World.done(world.server(0).meet(world.server(1).ip()));
        world.passUntil(
                "peace",
                10_000,
                () -> world.atPeace() && world.server(0).report().view().size() == 2);
        assertThat(world.servingSlot(9)).contains(world.server(1));
        assertThat(world.server(0).serves()).isEqualTo(SlotSet.ALL.minus(SlotSet.of(9)));
    }

    @Test
    void aLostShardIsGivenToANewNodeOnceItsDeadAreForgotten() {
        World world = World.of(World.V9_1);
        world.form(3, 0);
        SlotSet lost = world.server(0).serves();
        NodeId dead = world.server(0).id();
        world.network.kill(world.server(0));
        world.pass(6000);
        Server fresh = world.start();
        World.done(world.server(1).meet(fresh.ip()));
        world.pass(3000);
        for (Server server : world.network.running()) {
            server.forget(dead);
        }
        World.done(fresh.bumpEpoch());
        World.done(fresh.addSlots(lost));
        world.passUntil(
                "peace", 6000, () -> world.atPeace() && world.servingSlot(SLOT).isPresent());
        assertThat(world.servingSlot(SLOT)).contains(fresh);
    }

    @Test
    void anotherProcessAtAnOldAddressIsNotTakenForTheOldNode() {
        World world = World.of(World.V9_1);
        world.form(3, 0);
        Server old = world.server(0);
        NodeId dead = old.id();
        world.network.kill(old);
        world.startAt(old.ip());
        world.pass(1000);
        var line = world.server(1).report().view().of(dead).orElseThrow();
        assertThat(line.ip()).isEmpty();
        assertThat(line.linkUp()).isFalse();
    }

    @Test
    void aReplicaThatCannotBePromotedBringsItsDeadPrimaryBackOnceTheBanIsOver() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        Server dead = world.server(0);
        Server replica = world.server(3);
        world.network.cut(replica.ip(), dead.ip());
        world.pass(100_000);
        world.network.kill(dead);
        world.pass(30_000);
        assertThat(replica.report().role()).isEqualTo(Role.REPLICA);
        for (int i : new int[] {1, 2, 4, 5}) {
            World.done(world.server(i).forget(dead.id()));
        }
        assertThat(replica.forget(dead.id()).text()).isEqualTo("ERR Can't forget my master!");
        world.pass(50_000);
        assertThat(world.server(1).report().view().lists(dead.id())).isFalse();
        world.pass(15_000);
        assertThat(world.server(1).report().view().lists(dead.id())).isTrue();
    }

    @Test
    void aReplicaThatIsResetLosesItsDataItsIdAndItsAcquaintances() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        Server replica = world.server(3);
        NodeId before = replica.id();
        World.done(world.server(0).write(SLOT, 1, 1));
        world.pass(50);
        World.done(replica.reset(true));
        assertThat(replica.id()).isNotEqualTo(before);
        assertThat(replica.report().view().size()).isEqualTo(1);
        assertThat(replica.keys()).isEmpty();
        assertThat(world.server(0).reset(false).text())
                .isEqualTo("ERR CLUSTER RESET can't be called with master nodes containing keys");
    }
}
