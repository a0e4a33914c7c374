package com.gomomento.valkey.operator.sim.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What one operator knows of one kind, own writes included: the rules of the real adapter's cache. The result of an own
 * write is put in at once, and earlier states of which the watch still has to tell change nothing until the watch has come
 * as far; what is known to be gone is not brought back by late news; a list replaces everything but writes that ended after
 * it was asked for.
 */
final class KindMirror {

    /** An object, and when an own write put it here that the watch has not confirmed yet. */
    private record Slot(Stored object, OptionalLong writtenAtMillis) {

        boolean writtenSince(long millis) {
            return writtenAtMillis.isPresent() && writtenAtMillis.getAsLong() >= millis;
        }
    }

    /** When an object was last known to be gone, and whether the API server said so to us. */
    private record Gone(long atMillis, boolean told) {}

    private final TreeMap<ObjectKey, Slot> slots = new TreeMap<>();
    private final Map<String, Gone> gone = new TreeMap<>();
    private final Consumer<Stored> changed;

    /** Starts empty; {@code changed} is told of whatever the watch changes. */
    KindMirror(Consumer<Stored> changed) {
        this.changed = changed;
    }

    Optional<Stored> get(ObjectKey key) {
        return Optional.ofNullable(slots.get(key)).map(Slot::object);
    }

    List<Stored> all() {
        return slots.values().stream().map(Slot::object).toList();
    }

    /** The watch told of a change. */
    void observed(ApiServer.Change change, long nowMillis) {
        Stored object = change.object();
        if (change.deleted()) {
            gone.put(object.uid(), new Gone(nowMillis, false));
            dropIfSame(object, true);
            return;
        }
        Gone end = gone.get(object.uid());
        if (end != null && end.told()) {
            return;
        }
        Slot slot = slots.get(object.key());
        if (slot != null
                && slot.writtenAtMillis().isPresent()
                && object.version() < slot.object().version()) {
            changed.accept(slot.object());
            return;
        }
        gone.remove(object.uid());
        put(object, OptionalLong.empty(), true);
    }

    /** Everything was listed; {@code askedMillis} is when the list was asked for. */
    void listed(List<Stored> objects, long askedMillis) {
        Map<ObjectKey, Slot> unlisted = new TreeMap<>(slots);
        for (Stored object : objects) {
            Slot slot = unlisted.remove(object.key());
            Gone end = gone.get(object.uid());
            boolean goneSince = end != null && end.atMillis() >= askedMillis;
            boolean overtaken = slot != null
                    && slot.writtenSince(askedMillis)
                    && object.version() < slot.object().version();
            if (!goneSince && !overtaken) {
                gone.remove(object.uid());
                put(object, OptionalLong.empty(), true);
            }
        }
        new ArrayList<>(unlisted.values()).forEach(slot -> {
            if (!slot.writtenSince(askedMillis)) {
                dropIfSame(slot.object(), true);
            }
        });
    }

    /** An own write, or a look at the API server, gave this state. */
    void written(Stored object, long nowMillis) {
        Slot slot = slots.get(object.key());
        boolean late = slot != null
                && slot.object().uid().equals(object.uid())
                && slot.object().version() >= object.version();
        if (!late && !gone.containsKey(object.uid())) {
            put(object, OptionalLong.of(nowMillis), false);
        }
    }

    /** The API server said that the object with this UID is gone. */
    void knownGone(ObjectKey key, String uid, long nowMillis) {
        gone.put(uid, new Gone(nowMillis, true));
        get(key).filter(object -> object.uid().equals(uid)).ifPresent(object -> dropIfSame(object, false));
    }

    private void put(Stored object, OptionalLong writtenAtMillis, boolean tell) {
        Slot before = slots.put(object.key(), new Slot(object, writtenAtMillis));
        if (tell && (before == null || !before.object().looksLike(object))) {
            changed.accept(object);
        }
    }

    private void dropIfSame(Stored object, boolean tell) {
        Slot slot = slots.get(object.key());
        if (slot != null && slot.object().uid().equals(object.uid())) {
            slots.remove(object.key());
            if (tell) {
                changed.accept(slot.object());
            }
        }
    }
}
