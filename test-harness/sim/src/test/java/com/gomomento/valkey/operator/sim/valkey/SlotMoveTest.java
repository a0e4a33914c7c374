package com.gomomento.valkey.operator.sim.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import org.junit.jupiter.api.Test;

/** Slots that change their owner, at once or key by key. */
class SlotMoveTest {

    private static final SlotSet SOME = SlotSet.ALL.first(100);

    @Test
    void anAtomicMigrationTakesSlotsAndKeysOverWithinASecond() {
        World world = World.of(World.V9_1);
        world.form(2, 1);
        Server source = world.server(0);
        Server target = world.server(1);
        World.done(source.write(5, 1, 3));
        World.done(source.migrateSlots(SOME, target.id()));
        assertThat(migration(source).active()).isTrue();
        world.passUntil("success", 1500, () -> !migration(source).active());
        assertThat(migration(source).state()).isEqualTo("success");
        assertThat(migration(target).state()).isEqualTo("success");
        world.passUntil("peace", 5000, world::atPeace);
        assertThat(target.read(5, 1).version()).isEqualTo(3);
        assertThat(source.keys()).isEmpty();
        assertThat(world.server(3).keys()).hasSize(1);
        assertThat(world.server(2).keys()).isEmpty();
    }

    @Test
    void writesThatGoOnDuringAMigrationAreAllAtTheTargetAfterwards() {
        World world = World.of(World.V9_1);
        world.form(2, 0);
        Server source = world.server(0);
        World.done(source.migrateSlots(SOME, world.server(1).id()));
        long version = 0;
        Reply last = Reply.OK;
        while (last.kind() != Reply.Kind.MOVED) {
            last = source.write(7, 1, version + 1);
            version += last.done() ? 1 : 0;
            world.pass(1);
        }
        assertThat(version).isPositive();
        assertThat(world.server(1).read(7, 1).version()).isEqualTo(version);
    }

    @Test
    void aMigrationWhoseTargetIsKilledFailsAndLeavesAllAtTheSource() {
        World world = World.of(World.V9_1);
        world.form(3, 0);
        Server source = world.server(0);
        World.done(source.write(5, 1, 3));
        World.done(source.migrateSlots(SOME, world.server(1).id()));
        world.pass(40);
        world.network.kill(world.server(1));
        world.pass(150);
        assertThat(migration(source).state()).isEqualTo("failed");
        assertThat(source.read(5, 1).version()).isEqualTo(3);
    }

    @Test
    void aMigrationWhoseTargetHangsFailsAfterAMinute() {
        World world = World.of(World.V9_1);
        world.form(3, 0);
        Server source = world.server(0);
        World.done(source.migrateSlots(SOME, world.server(1).id()));
        world.pass(40);
        world.network.freeze(world.server(1));
        world.pass(50_000);
        assertThat(migration(source).active()).isTrue();
        world.pass(12_000);
        assertThat(migration(source).state()).isEqualTo("failed");
        world.network.thaw(world.server(1));
        world.pass(2000);
        assertThat(migration(world.server(1)).state()).isEqualTo("failed");
        assertThat(world.server(1).keys()).isEmpty();
    }

    @Test
    void aMigrationFailsWhenItsSourceIsNoLongerPrimary() {
        World world = World.of(World.V9_1);
        world.form(2, 1);
        Server source = world.server(0);
        World.done(source.write(5, 1, 3));
        world.pass(10);
        World.done(source.migrateSlots(SOME, world.server(1).id()));
        world.pass(30);
        World.done(world.server(2).failover(Server.Failover.GRACEFUL));
        world.passUntil("peace", 5000, () -> !migration(source).active() && world.atPeace());
        assertThat(migration(source).state()).isEqualTo("failed");
        assertThat(world.server(2).read(5, 1).version()).isEqualTo(3);
        assertThat(world.server(1).keys()).isEmpty();
    }

    @Test
    void aMigrationCanBeCancelled() {
        World world = World.of(World.V9_1);
        world.form(2, 0);
        Server source = world.server(0);
        World.done(source.migrateSlots(SOME, world.server(1).id()));
        world.pass(30);
        World.done(source.cancelSlotMigrations());
        world.pass(500);
        assertThat(migration(source).state()).isEqualTo("cancelled");
        assertThat(migration(world.server(1)).state()).isEqualTo("failed");
        assertThat(source.cancelSlotMigrations().text()).isEqualTo("ERR No migrations ongoing");
    }

    @Test
    void server81KnowsNoAtomicMigration() {
        World world = World.of(World.V8_1);
        world.form(2, 0);
        assertThat(world.server(0).migrateSlots(SOME, world.server(1).id()).text())
                .startsWith("ERR unknown subcommand");
    }

    @Test
    void aSlotMovesKeyByKeyWithAskInBetween() {
        World world = World.of(World.V8_1);
        world.form(2, 1);
        Server source = world.server(0);
        Server target = world.server(1);
        World.done(source.write(5, 1, 11));
        World.done(source.write(5, 2, 12));
        World.done(target.setSlotImporting(5, source.id()));
        World.done(source.setSlotMigrating(5, target.id()));
        assertThat(source.report().self().openSlots()).containsExactly(new OpenSlot(5, true, target.id()));
        assertThat(source.moveKeys(5, target.ip(), 1).version()).isEqualTo(1);
        assertThat(source.read(5, 2).version()).isEqualTo(12);
        assertThat(source.read(5, 1).text()).isEqualTo("ASK 5 " + target.ip() + ":6379");
        assertThat(target.readAsking(5, 1).version()).isEqualTo(11);
        assertThat(target.read(5, 1).kind()).isEqualTo(Reply.Kind.MOVED);
        assertThat(source.setSlotNode(5, target.id()).text()).startsWith("ERR Can't assign hashslot 5");
        World.done(source.moveKeys(5, target.ip(), 10));
        assertThat(source.moveKeys(5, target.ip(), 10).text()).isEqualTo("NOKEY");
        World.done(target.setSlotNode(5, target.id()));
        World.done(source.setSlotNode(5, target.id()));
        world.passUntil("peace", 3000, world::atPeace);
        assertThat(target.read(5, 2).version()).isEqualTo(12);
        assertThat(source.read(5, 2).kind()).isEqualTo(Reply.Kind.MOVED);
    }

    @Test
    void keysThatATargetOfAnOpenSlotHasDieWithIt() {
        World world = World.of(World.V8_1);
        world.form(3, 0);
        Server source = world.server(0);
        Server target = world.server(1);
        World.done(source.write(5, 1, 11));
        World.done(target.setSlotImporting(5, source.id()));
        World.done(source.setSlotMigrating(5, target.id()));
        World.done(source.moveKeys(5, target.ip(), 1));
        world.network.kill(target);
        World.done(source.setSlotStable(5));
        assertThat(source.read(5, 1).version()).isZero();
    }

    @Test
    void anEmptiedPrimaryStaysAPrimaryWithoutSlots() {
        World world = World.of(World.V9_1);
        world.form(2, 1);
        Server source = world.server(0);
        World.done(source.migrateSlots(source.serves(), world.server(1).id()));
        world.passUntil("moved", 3000, () -> source.serves().isEmpty() && world.atPeace());
        assertThat(source.report().self().primary()).isEmpty();
        assertThat(world.server(2).report().self().primary()).contains(source.id());
    }

    @Test
    void anAssignmentThatNobodyElseMadeIsUndoneByTheOwnersClaim() {
        World world = World.of(World.V8_1);
        world.form(3, 1);
        World.done(world.server(0).setSlotNode(16000, world.server(1).id()));
        world.pass(10_000);
        assertThat(world.atPeace()).isTrue();
        assertThat(world.servingSlot(16000)).contains(world.server(2));
    }

    @Test
    void aReplicaKnowsOfOpenSlotsAndGoesOnWithThemAsPrimary() {
        World world = World.of(World.V9_1);
        world.form(2, 1);
        World.done(world.server(1).setSlotImporting(5, world.server(0).id()));
        World.done(world.server(0).setSlotMigrating(5, world.server(1).id()));
        World.done(world.server(2).failover(Server.Failover.GRACEFUL));
        world.pass(3000);
        assertThat(world.server(2).report().self().openSlots())
                .containsExactly(new OpenSlot(5, true, world.server(1).id()));
        assertThat(world.server(1).report().self().openSlots())
                .containsExactly(new OpenSlot(5, false, world.server(2).id()));
    }

    private static SlotMigration migration(Server server) {
        return server.report().migrations().getFirst();
    }
}
