package com.gomomento.valkey.operator.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotSetTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 500, 16384})
    void sharesAreEvenDisjointAndComplete(int shards) {
        SlotSet all = SlotSet.EMPTY;
        for (int shard = 0; shard < shards; shard++) {
            SlotSet share = SlotSet.share(shard, shards);
            assertThat(all.intersects(share)).isFalse();
            assertThat(share.size()).isBetween(SlotSet.COUNT / shards, SlotSet.COUNT / shards + 1);
            all = all.plus(share);
        }
        assertThat(all).isEqualTo(SlotSet.ALL);
    }

    @Test
    void rangesAreTheFewest() {
        SlotSet set = SlotSet.of(List.of(new SlotRange(5, 9), new SlotRange(0, 4), new SlotRange(12, 12)));

        assertThat(set.toString()).isEqualTo("0-9,12");
        assertThat(set.minus(SlotSet.of(List.of(new SlotRange(3, 3)))).toString())
                .isEqualTo("0-2,4-9,12");
        assertThat(SlotSet.EMPTY.ranges()).isEmpty();
    }

    @Test
    void aRangeOutsideTheSlotsIsRefused() {
        assertThatThrownBy(() -> new SlotRange(0, 16384))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0-16384");
        assertThatThrownBy(() -> new SlotRange(7, 6)).isInstanceOf(IllegalArgumentException.class);
    }
}
