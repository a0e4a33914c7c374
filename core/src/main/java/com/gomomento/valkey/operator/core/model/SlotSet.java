package com.gomomento.valkey.operator.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An immutable set of hash slots, each 0 to 16383. Equality is by content. One bit a slot: plans compare and divide many of
 * these sets, so operations that change nothing give back what they were given.
 */
public final class SlotSet {

    /** Hash slots of a cluster; fixed by the Valkey cluster specification. */
    public static final int COUNT = 16384;

    private static final int WORDS = COUNT / Long.SIZE;

    /** No slot. */
    public static final SlotSet EMPTY = new SlotSet(new long[WORDS]);

    /** Every slot. */
    public static final SlotSet ALL = of(List.of(new SlotRange(0, COUNT - 1)));

    private final long[] words;
    private final int size;

    private SlotSet(long[] words) {
        this.words = words;
        int count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        this.size = count;
    }

    /** The union of {@code ranges}, which may overlap. */
    public static SlotSet of(Collection<SlotRange> ranges) {
        long[] words = new long[WORDS];
        ranges.forEach(range -> set(words, range.first(), range.last()));
        return new SlotSet(words);
    }

    private static void set(long[] words, int first, int last) {
        int low = first / Long.SIZE;
        int high = last / Long.SIZE;
        long fromFirst = -1L << first;
        long toLast = -1L >>> (Long.SIZE - 1 - last % Long.SIZE);
        if (low == high) {
            words[low] |= fromFirst & toLast;
            return;
        }
        words[low] |= fromFirst;
        Arrays.fill(words, low + 1, high, -1L);
        words[high] |= toLast;
    }

    /** Slots that are in at least one of {@code sets}. */
    public static SlotSet union(Collection<SlotSet> sets) {
        long[] words = new long[WORDS];
        for (SlotSet set : sets) {
            for (int i = 0; i < WORDS && !set.isEmpty(); i++) {
                words[i] |= set.words[i];
            }
        }
        return new SlotSet(words);
    }

    /** The set of this one slot, 0 to 16383. */
    public static SlotSet of(int slot) {
        Check.that(slot >= 0 && slot < COUNT, "slot is " + slot + ", allowed is 0 to " + (COUNT - 1));
        long[] words = new long[WORDS];
        words[slot / Long.SIZE] = 1L << slot;
        return new SlotSet(words);
    }

    /**
     * The share of shard {@code index} when {@code shards} divide all slots evenly: sizes differ by one at most, lower
     * indexes come first.
     */
    public static SlotSet share(int index, int shards) {
        Check.that(shards >= 1 && shards <= COUNT, "shards is " + shards + ", allowed is 1 to " + COUNT);
        Check.that(index >= 0 && index < shards, "shard " + index + " is not one of " + shards);
        int first = (int) ((long) index * COUNT / shards);
        int next = (int) ((long) (index + 1) * COUNT / shards);
        return of(List.of(new SlotRange(first, next - 1)));
    }

    /** Slots in the set, 0 to 16384. */
    public int size() {
        return size;
    }

    /** Whether no slot is in the set. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Whether this one slot, 0 to 16383, is in the set. */
    public boolean contains(int slot) {
        return (words[slot / Long.SIZE] & (1L << slot)) != 0;
    }

    /** Whether all of {@code other} is in this set. */
    public boolean containsAll(SlotSet other) {
        for (int i = 0; i < WORDS && other.size > 0; i++) {
            if ((other.words[i] & ~words[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether a slot is in both. */
    public boolean intersects(SlotSet other) {
        for (int i = 0; i < WORDS && size > 0 && other.size > 0; i++) {
            if ((words[i] & other.words[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Slots that are in either. */
    public SlotSet plus(SlotSet other) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        long[] union = words.clone();
        for (int i = 0; i < WORDS; i++) {
            union[i] |= other.words[i];
        }
        return new SlotSet(union);
    }

    /** Slots that are here and not in {@code other}. */
    public SlotSet minus(SlotSet other) {
        if (!intersects(other)) {
            return this;
        }
        long[] rest = words.clone();
        for (int i = 0; i < WORDS; i++) {
            rest[i] &= ~other.words[i];
        }
        return new SlotSet(rest);
    }

    /** Slots that are in both. */
    public SlotSet and(SlotSet other) {
        if (!intersects(other)) {
            return EMPTY;
        }
        long[] both = words.clone();
        for (int i = 0; i < WORDS; i++) {
            both[i] &= other.words[i];
        }
        return new SlotSet(both);
    }

    /** The lowest {@code count} slots, or all if there are fewer. */
    public SlotSet first(int count) {
        Check.atLeast("count", 0, count);
        if (count >= size) {
            return this;
        }
        long[] some = new long[WORDS];
        int missing = count;
        for (int i = 0; missing > 0; i++) {
            some[i] = words[i];
            missing -= Long.bitCount(words[i]);
            for (; missing < 0; missing++) {
                some[i] ^= Long.highestOneBit(some[i]);
            }
        }
        return new SlotSet(some);
    }

    /** The set as the fewest ranges, ascending. */
    public List<SlotRange> ranges() {
        List<SlotRange> ranges = new ArrayList<>();
        for (int first = next(0, true); first < COUNT; ) {
            int end = next(first, false);
            ranges.add(new SlotRange(first, end - 1));
            first = next(end, true);
        }
        return List.copyOf(ranges);
    }

    /** The first slot from {@code from} on that is, or is not, in the set; {@link #COUNT} if there is none. */
    private int next(int from, boolean present) {
        int index = from / Long.SIZE;
        long mask = -1L << from;
        while (index < WORDS) {
            long found = (present ? words[index] : ~words[index]) & mask;
            if (found != 0) {
                return index * Long.SIZE + Long.numberOfTrailingZeros(found);
            }
            index++;
            mask = -1L;
        }
        return COUNT;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof SlotSet that && size == that.size && Arrays.equals(words, that.words));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    /** Ranges with commas, such as {@code 0-5460,10923}. */
    @Override
    public String toString() {
        return ranges().stream().map(SlotRange::toString).collect(Collectors.joining(","));
    }
}
