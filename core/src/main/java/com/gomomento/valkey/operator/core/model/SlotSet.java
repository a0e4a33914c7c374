package com.gomomento.valkey.operator.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** An immutable set of hash slots, each 0 to 16383. Equality is by content. */
public final class SlotSet {

    /** Hash slots of a cluster; fixed by the Valkey cluster specification. */
    public static final int COUNT = 16384;

    /** No slot. */
    public static final SlotSet EMPTY = new SlotSet(new BitSet());

    /** Every slot. */
    public static final SlotSet ALL = of(List.of(new SlotRange(0, COUNT - 1)));

    private final BitSet bits;

    private SlotSet(BitSet bits) {
        this.bits = bits;
    }

    /** The union of {@code ranges}, which may overlap. */
    public static SlotSet of(Collection<SlotRange> ranges) {
        BitSet bits = new BitSet(COUNT);
        ranges.forEach(range -> bits.set(range.first(), range.last() + 1));
        return new SlotSet(bits);
    }

    /** Slots that are in at least one of {@code sets}. */
    public static SlotSet union(Collection<SlotSet> sets) {
        BitSet bits = new BitSet(COUNT);
        sets.forEach(set -> bits.or(set.bits));
        return new SlotSet(bits);
    }

    /** The set of this one slot, 0 to 16383. */
    public static SlotSet of(int slot) {
        return of(List.of(new SlotRange(slot, slot)));
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
        return bits.cardinality();
    }

    /** Whether no slot is in the set. */
    public boolean isEmpty() {
        return bits.isEmpty();
    }

    /** Whether this one slot, 0 to 16383, is in the set. */
    public boolean contains(int slot) {
        return bits.get(slot);
    }

    /** Whether all of {@code other} is in this set. */
    public boolean containsAll(SlotSet other) {
        return other.minus(this).isEmpty();
    }

    /** Whether a slot is in both. */
    public boolean intersects(SlotSet other) {
        return bits.intersects(other.bits);
    }

    /** Slots that are in either. */
    public SlotSet plus(SlotSet other) {
        BitSet union = (BitSet) bits.clone();
        union.or(other.bits);
        return new SlotSet(union);
    }

    /** Slots that are here and not in {@code other}. */
    public SlotSet minus(SlotSet other) {
        BitSet rest = (BitSet) bits.clone();
        rest.andNot(other.bits);
        return new SlotSet(rest);
    }

    /** Slots that are in both. */
    public SlotSet and(SlotSet other) {
        BitSet both = (BitSet) bits.clone();
        both.and(other.bits);
        return new SlotSet(both);
    }

    /** The lowest {@code count} slots, or all if there are fewer. */
    public SlotSet first(int count) {
        Check.atLeast("count", 0, count);
        BitSet some = new BitSet(COUNT);
        int taken = 0;
        for (int slot = bits.nextSetBit(0); slot >= 0 && taken < count; slot = bits.nextSetBit(slot + 1)) {
            some.set(slot);
            taken++;
        }
        return new SlotSet(some);
    }

    /** The set as the fewest ranges, ascending. */
    public List<SlotRange> ranges() {
        List<SlotRange> ranges = new ArrayList<>();
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            ranges.add(new SlotRange(first, end - 1));
            first = bits.nextSetBit(end);
        }
        return List.copyOf(ranges);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SlotSet that && bits.equals(that.bits);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bits.toLongArray());
    }

    /** Ranges with commas, such as {@code 0-5460,10923}. */
    @Override
    public String toString() {
        return ranges().stream().map(SlotRange::toString).collect(Collectors.joining(","));
    }
}
