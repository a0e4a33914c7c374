package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** The keys of one server: (slot, key number) to version. */
final class Dataset {

    private TreeMap<Long, Long> versions = new TreeMap<>();

    static long name(int slot, int key) {
        return ((long) slot << 32) | key;
    }

    static int slotOf(long name) {
        return (int) (name >>> 32);
    }

    OptionalLong get(long name) {
        Long version = versions.get(name);
        return version == null ? OptionalLong.empty() : OptionalLong.of(version);
    }

    void put(long name, long version) {
        versions.put(name, version);
    }

    void remove(long name) {
        versions.remove(name);
    }

    int size() {
        return versions.size();
    }

    boolean isEmpty() {
        return versions.isEmpty();
    }

    void clear() {
        versions = new TreeMap<>();
    }

    /** Becomes what {@code other} is now. */
    void copy(Dataset other) {
        versions = new TreeMap<>(other.versions);
    }

    /** Names of the keys of one slot. */
    List<Long> keysOf(int slot) {
        return new ArrayList<>(versions.subMap(name(slot, 0), name(slot + 1, 0)).keySet());
    }

    /** Names of the keys of some slots. */
    List<Long> keysOf(SlotSet slots) {
        List<Long> names = new ArrayList<>();
        eachSlot(slot -> {
            if (slots.contains(slot)) {
                names.addAll(keysOf(slot));
            }
        });
        return names;
    }

    /** Every slot that has keys, ascending. */
    void eachSlot(IntConsumer visit) {
        Optional<Long> next = from(0);
        while (next.isPresent()) {
            int slot = slotOf(next.get());
            visit.accept(slot);
            next = from(slot + 1);
        }
    }

    private Optional<Long> from(int slot) {
        return Optional.ofNullable(versions.ceilingKey(name(slot, 0)));
    }

    /** Everything, for whoever checks it. */
    Map<Long, Long> all() {
        return versions;
    }
}
