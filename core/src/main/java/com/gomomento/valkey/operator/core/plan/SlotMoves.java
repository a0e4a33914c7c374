package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which slots move so that all holders that stay have as many as each other, give or take one, and those that leave have
 * none. No slot moves that need not: what a holder keeps is what it has, up to its share, and the odd slots of an uneven
 * division stay where most slots are already. Large surpluses are matched with large shortages first, so that a drain is
 * spread over all who stay and as many nodes as possible can work side by side.
 */
final class SlotMoves {

    private SlotMoves() {}

    /**
     * One holder of slots.
     *
     * @param slots that it has
     * @param stays whether it is to have a share
     */
    record Holder(SlotSet slots, boolean stays) {}

    /**
     * Slots that go from one holder to another.
     *
     * @param from position of the source in the list of holders
     * @param to position of the target
     * @param slots 1 or more
     */
    record Move(int from, int to, SlotSet slots) {}

    /** The moves, each pair of holders at most once. Holders' sets must be disjoint, and at least one must stay. */
    static List<Move> plan(List<Holder> holders) {
        int[] balance = balance(holders);
        SlotSet[] rest = holders.stream().map(Holder::slots).toArray(SlotSet[]::new);
        List<Move> moves = new ArrayList<>();
        while (true) {
            int from = extreme(balance, true);
            int to = extreme(balance, false);
            if (balance[from] <= 0 || balance[to] >= 0) {
                return List.copyOf(moves);
            }
            int count = Math.min(balance[from], -balance[to]);
            SlotSet kept = rest[from].first(rest[from].size() - count);
            moves.add(new Move(from, to, rest[from].minus(kept)));
            rest[from] = kept;
            balance[from] -= count;
            balance[to] += count;
        }
    }

    /** How many slots each holder has too many (above 0) or too few (below 0). The sum is 0. */
    private static int[] balance(List<Holder> holders) {
        List<Integer> stayers = new ArrayList<>();
        int total = 0;
        for (int i = 0; i < holders.size(); i++) {
            total += holders.get(i).slots().size();
            if (holders.get(i).stays()) {
                stayers.add(i);
            }
        }
        Check.that(!stayers.isEmpty(), "nobody stays to hold slots");
        stayers.sort(
                Comparator.comparingInt((Integer i) -> -holders.get(i).slots().size())
                        .thenComparing(i -> i));
        int share = total / stayers.size();
        int odd = total % stayers.size();
        int[] balance = new int[holders.size()];
        for (int i = 0; i < holders.size(); i++) {
            balance[i] = holders.get(i).slots().size();
        }
        for (int rank = 0; rank < stayers.size(); rank++) {
            balance[stayers.get(rank)] -= share + (rank < odd ? 1 : 0);
        }
        return balance;
    }

    /** The first position with the highest, or the lowest, balance. */
    private static int extreme(int[] balance, boolean highest) {
        int best = 0;
        for (int i = 1; i < balance.length; i++) {
            if (highest ? balance[i] > balance[best] : balance[i] < balance[best]) {
                best = i;
            }
        }
        return best;
    }
}
