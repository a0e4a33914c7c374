package com.gomomento.valkey.operator.sim.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.SlotSet;
import org.junit.jupiter.api.Test;

class BootstrapTest {

    @Test
    void aClusterWhoseServersMeetFromOneOfThemServesAfterAboutTwoSeconds() {
        World world = World.of(World.V9_1);
        world.form(3, 1);
        assertThat(world.timeline.nowMillis()).isBetween(1900L, 4000L);
        assertThat(world.servingSlot(0)).contains(world.server(0));
        assertThat(world.servingSlot(16383)).contains(world.server(2));
        assertThat(world.server(5).inSyncWith(world.server(2))).isTrue();
    }

    @Test
    void serversThatBelieveTheSameGiveTheSameView() {
        World world = World.of(World.V8_1);
        world.form(3, 1);
        assertThat(world.server(0).report().view())
                .isSameAs(world.server(4).report().view());
    }

    @Test
    void anEpochIsSetOnlyOnANodeThatKnowsNobodyAndHasNone() {
        World world = World.of(World.V9_1);
        Server alone = world.start();
        World.done(alone.setConfigEpoch(3));
        assertThat(alone.setConfigEpoch(4).text()).isEqualTo("ERR Node config epoch is already non-zero");
        Server other = world.start();
        World.done(other.meet(alone.ip()));
        assertThat(other.setConfigEpoch(4).text()).startsWith("ERR The user can assign a config epoch only when");
    }

    @Test
    void aMeetingWithNobodyIsAcceptedAndVanishesByItself() {
        World world = World.of(World.V9_1);
        Server alone = world.start();
        World.done(alone.meet("10.9.9.9"));
        assertThat(alone.report().view().size()).isEqualTo(2);
        assertThat(alone.report().view().all()).anyMatch(line -> line.handshake());
        world.pass(2200);
        assertThat(alone.report().view().size()).isEqualTo(1);
    }

    @Test
    void slotsThatAreTakenInItsViewAreRefused() {
        World world = World.of(World.V9_1);
        Server alone = world.start();
        World.done(alone.addSlots(SlotSet.share(0, 2)));
        assertThat(alone.addSlots(SlotSet.of(17)).text()).isEqualTo("ERR Slot 17 is already busy");
    }
}
