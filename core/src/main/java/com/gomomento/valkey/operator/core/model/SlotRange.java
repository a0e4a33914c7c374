package com.gomomento.valkey.operator.core.model;

/** Hash slots from {@code first} to {@code last}, both included, within 0 to 16383. */
public record SlotRange(int first, int last) {

    /** Refuses a range outside 0 to 16383 or one that ends before it begins. */
    public SlotRange {
        if (first < 0 || first > last || last >= SlotSet.COUNT) {
            throw new IllegalArgumentException("slot range " + first + "-" + last + " is not within 0-16383");
        }
    }

    /** Slots in the range, 1 or more. */
    public int size() {
        return last - first + 1;
    }

    /** As {@code CLUSTER NODES} writes it: {@code 5} or {@code 0-5460}. */
    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
