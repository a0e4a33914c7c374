package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.plan.SlotMoves.Holder;
import com.gomomento.valkey.operator.core.plan.SlotMoves.Move;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotMovesTest {

    private static List<Holder> even(int shards, int stay) {
        List<Holder> holders = new ArrayList<>();
        for (int i = 0; i < Math.max(shards, stay); i++) {
            holders.add(new Holder(i < shards ? SlotSet.share(i, shards) : SlotSet.EMPTY, i < stay));
        }
        return holders;
    }

    private static int moved(List<Move> moves) {
        return moves.stream().mapToInt(move -> move.slots().size()).sum();
    }

    @Test
    void whatIsEvenStays() {
        for (int shards : List.of(1, 2, 3, 7, 500)) {
            assertThat(SlotMoves.plan(even(shards, shards))).isEmpty();
        }
    }

    @Test
    void aNewShardGetsTheSameFromEach() {
        List<Move> moves = SlotMoves.plan(even(3, 4));

        assertThat(moves).extracting(Move::to).containsOnly(3);
        assertThat(moves).extracting(Move::from).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(moves).extracting(move -> move.slots().size()).containsExactlyInAnyOrder(1366, 1365, 1365);
    }

    @Test
    void aDrainIsSpreadOverAllThatStay() {
        List<Move> moves = SlotMoves.plan(even(3, 2));

        assertThat(moves).extracting(Move::from).containsOnly(2);
        assertThat(moves).extracting(move -> move.slots().size()).containsExactlyInAnyOrder(2731, 2731);
    }

    @Test
    void doublingPairsEachSourceWithOneTarget() {
        List<Move> moves = SlotMoves.plan(even(4, 8));

        assertThat(moves).hasSize(4);
        assertThat(moves).extracting(Move::from).doesNotHaveDuplicates();
        assertThat(moves).extracting(Move::to).doesNotHaveDuplicates();
    }

    /** Against the optimum, which is known: what those who stay lack, the odd slots left where most are. */
    @Test
    void noSlotMovesThatNeedNot() {
        Random random = new Random(7);
        for (int round = 0; round < 600; round++) {
            List<Holder> holders = any(random);
            List<Move> moves = SlotMoves.plan(holders);
            assertThat(moved(moves)).isEqualTo(fewest(holders));
            assertEven(holders, moves);
        }
    }

    private static List<Holder> any(Random random) {
        int count = 1 + random.nextInt(9);
        int[] owner = new int[SlotSet.COUNT];
        int holding = 1 + random.nextInt(count);
        for (int slot = 0; slot < owner.length; ) {
            int next = Math.min(owner.length, slot + 1 + random.nextInt(3000));
            Arrays.fill(owner, slot, next, random.nextInt(holding));
            slot = next;
        }
        List<List<SlotRange>> ranges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ranges.add(new ArrayList<>());
        }
        for (int slot = 0; slot < owner.length; slot++) {
            ranges.get(owner[slot]).add(new SlotRange(slot, slot));
        }
        List<Holder> holders = new ArrayList<>();
        int stayer = random.nextInt(count);
        for (int i = 0; i < count; i++) {
            holders.add(new Holder(SlotSet.of(ranges.get(i)), i == stayer || random.nextInt(4) > 0));
        }
        Collections.shuffle(holders, random);
        return holders;
    }

    private static int fewest(List<Holder> holders) {
        List<Integer> sizes = holders.stream()
                .filter(Holder::stays)
                .map(holder -> holder.slots().size())
                .sorted(Collections.reverseOrder())
                .toList();
        int lacking = 0;
        for (int i = 0; i < sizes.size(); i++) {
            int share = SlotSet.COUNT / sizes.size() + (i < SlotSet.COUNT % sizes.size() ? 1 : 0);
            lacking += Math.max(0, share - sizes.get(i));
        }
        return lacking;
    }

    private static void assertEven(List<Holder> holders, List<Move> moves) {
        List<SlotSet> result =
                new ArrayList<>(holders.stream().map(Holder::slots).toList());
        for (Move move : moves) {
            assertThat(result.get(move.from()).containsAll(move.slots())).isTrue();
            result.set(move.from(), result.get(move.from()).minus(move.slots()));
            result.set(move.to(), result.get(move.to()).plus(move.slots()));
        }
        List<Integer> staying = new ArrayList<>();
        for (int i = 0; i < holders.size(); i++) {
            if (holders.get(i).stays()) {
                staying.add(result.get(i).size());
            } else {
                assertThat(result.get(i).isEmpty()).isTrue();
            }
        }
        assertThat(Collections.max(staying) - Collections.min(staying)).isLessThanOrEqualTo(1);
        assertThat(SlotSet.union(result)).isEqualTo(SlotSet.ALL);
    }
}
