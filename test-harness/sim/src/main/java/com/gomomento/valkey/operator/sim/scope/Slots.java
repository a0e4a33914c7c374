package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.ArrayList;
import java.util.List;

/** Sets of slots in 32 parts of 512 each, as the bits of a number. */
final class Slots {

    static final int NONE = 0;
    static final int ALL = -1;

    private static final int PARTS = Integer.SIZE;
    private static final int PART = SlotSet.COUNT / PARTS;

    private Slots() {}

    static SlotSet set(int bits) {
        if (bits == NONE) {
            return SlotSet.EMPTY;
        }
        if (bits == ALL) {
            return SlotSet.ALL;
        }
        List<SlotRange> ranges = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            if ((bits & 1 << part) != 0) {
                ranges.add(new SlotRange(part * PART, (part + 1) * PART - 1));
            }
        }
        return SlotSet.of(ranges);
    }

    /** The bits of a set, which must be made of whole parts. */
    static int bits(SlotSet set) {
        int bits = NONE;
        for (int part = 0; part < PARTS; part++) {
            bits |= set.contains(part * PART) ? 1 << part : NONE;
        }
        Check.that(set(bits).equals(set), "slots " + set + " are not made of parts of " + PART);
        return bits;
    }
}
