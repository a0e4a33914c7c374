package com.gomomento.valkey.operator.sim.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeterminismTest {

    private static final int STEPS = 120;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSameSeedGivesTheSameHistory(long seed) {
        long once = new Chaos(seed, World.V9_1).run(STEPS);
        assertThat(new Chaos(seed, World.V9_1).run(STEPS)).isEqualTo(once);
    }

    @Test
    void otherSeedsGiveOtherHistories() {
        Set<Long> histories = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            histories.add(new Chaos(seed, World.V8_1).run(STEPS));
        }
        assertThat(histories).hasSize(20);
    }

    @Test
    void noTableEverGivesASlotTwoOwners() {
        for (long seed = 100; seed < 140; seed++) {
            Chaos chaos = new Chaos(seed, World.V9_1);
            chaos.run(STEPS);
            for (Server server : chaos.world().network.running()) {
                SlotSet owned = SlotSet.EMPTY;
                for (var line : server.report().view().all()) {
                    assertThat(line.slots().intersects(owned))
                            .as("seed %d, %s", seed, server)
                            .isFalse();
                    owned = owned.plus(line.slots());
                }
            }
        }
    }
}
