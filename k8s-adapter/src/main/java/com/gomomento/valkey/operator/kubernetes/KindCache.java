package com.gomomento.valkey.operator.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The mirror of one kind, own writes included.
 *
 * <p>A watch lags. So the result of an own write is put in at once, as <em>pending</em>, and earlier states of which the
 * watch still has to tell change nothing in it until the watch has come as far as the write. An object that is known to be
 * gone is remembered by its UID for a while, so that no late answer or event brings it back. Anything else that the watch
 * says is taken as it comes: its order is the truth, even after a restored backup has turned versions back. A list replaces
 * everything except writes that were finished after the list had been asked for.
 */
final class KindCache<T> {

    /** Longer than any answer or event can be late before the watch is listed anew. */
    private static final long REMEMBER_GONE_NANOS = Duration.ofMinutes(10).toNanos();

    /** A change of the mirror; at least one side is there. */
    record Change<T>(Optional<Cached<T>> before, Optional<Cached<T>> after) {}

    /** An object, and when an own write that the watch has not yet confirmed put it here. */
    private record Slot<T>(Cached<T> object, Optional<Long> writtenAt) {

        boolean writtenAfter(long time) {
            return writtenAt.filter(at -> at - time >= 0).isPresent();
        }
    }

    /** When an object was last known to be gone, and whether it was the API server that said so to us. */
    private record Gone(long at, boolean told) {}

    private final ResourceKind kind;
    private final Function<KubeObject, T> reader;
    private final TreeMap<ObjectName, Slot<T>> slots = new TreeMap<>();
    private final Map<String, TreeMap<ObjectName, Cached<T>>> byOwner = new HashMap<>();
    private final Map<String, Gone> gone = new HashMap<>();

    /**
     * Starts empty.
     *
     * @param reader takes what is kept of an object; it has an answer to every object
     */
    KindCache(ResourceKind kind, Function<KubeObject, T> reader) {
        this.kind = kind;
        this.reader = reader;
    }

    ResourceKind kind() {
        return kind;
    }

    Cached<T> read(KubeObject object) {
        return Cached.of(object, reader.apply(object));
    }

    synchronized Optional<Cached<T>> get(ObjectName name) {
        return Optional.ofNullable(slots.get(name)).map(Slot::object);
    }

    /** All objects, by name. */
    synchronized List<Cached<T>> all() {
        return slots.values().stream().map(Slot::object).toList();
    }

    /** The objects that the cluster with this UID controls, by name. */
    synchronized List<Cached<T>> ownedBy(String clusterUid) {
        TreeMap<ObjectName, Cached<T>> owned = byOwner.get(clusterUid);
        return owned == null ? List.of() : List.copyOf(owned.values());
    }

    /** The watch told of an object; empty if that is no news. */
    synchronized Optional<Change<T>> observed(Cached<T> object) {
        boolean deletedByUs =
                Optional.ofNullable(gone.get(object.uid())).filter(Gone::told).isPresent();
        if (deletedByUs) {
            return Optional.empty();
        }
        Optional<Cached<T>> overtaking = Optional.ofNullable(slots.get(object.name()))
                .filter(slot -> slot.writtenAt().isPresent())
                .map(Slot::object)
                .filter(ours -> !object.reaches(ours));
        if (overtaking.isPresent()) {
            // Somebody else wrote before us, and our write gave back their change too: that is news to our readers.
            return Optional.of(new Change<>(overtaking, overtaking));
        }
        // It may have lost the label that it is watched by and got it back.
        gone.remove(object.uid());
        return put(object, Optional.empty());
    }

    /** The watch told of an object's end. */
    synchronized Optional<Change<T>> observedGone(ObjectName name, String uid, long now) {
        return forget(name, uid, new Gone(now, false));
    }

    /**
     * Everything was listed.
     *
     * @param asked when the list was asked for, in {@link System#nanoTime}
     */
    synchronized List<Change<T>> listed(List<Cached<T>> objects, long asked) {
        Map<ObjectName, Slot<T>> unlisted = new TreeMap<>(slots);
        List<Change<T>> changes = new ArrayList<>();
        for (Cached<T> object : objects) {
            Optional<Slot<T>> slot = Optional.ofNullable(unlisted.remove(object.name()));
            boolean goneSince = Optional.ofNullable(gone.get(object.uid()))
                    .filter(since -> since.at() - asked >= 0)
                    .isPresent();
            boolean overtaken = slot.filter(since -> since.writtenAfter(asked))
                    .filter(since -> !object.reaches(since.object()))
                    .isPresent();
            if (!goneSince && !overtaken) {
                gone.remove(object.uid());
                put(object, Optional.empty()).ifPresent(changes::add);
            }
        }
        unlisted.forEach((name, slot) -> {
            if (!slot.writtenAfter(asked)) {
                drop(name).ifPresent(changes::add);
            }
        });
        return changes;
    }

    /** An own write, or a look at the API server, gave this state. */
    void written(KubeObject object, long now) {
        written(read(object), now);
    }

    private synchronized void written(Cached<T> object, long now) {
        Slot<T> slot = slots.get(object.name());
        boolean late = slot != null
                && slot.object().uid().equals(object.uid())
                && slot.object().reaches(object);
        if (!late && !gone.containsKey(object.uid())) {
            put(object, Optional.of(now));
        }
    }

    /** An own delete, or a look at the API server, showed that this object is gone. */
    synchronized void knownGone(ObjectName name, String uid, long now) {
        forget(name, uid, new Gone(now, true));
    }

    private Optional<Change<T>> forget(ObjectName name, String uid, Gone since) {
        gone.values().removeIf(earlier -> since.at() - earlier.at() > REMEMBER_GONE_NANOS);
        gone.put(uid, since);
        Slot<T> slot = slots.get(name);
        return slot != null && slot.object().uid().equals(uid) ? drop(name) : Optional.empty();
    }

    private Optional<Change<T>> put(Cached<T> object, Optional<Long> writtenAt) {
        Slot<T> before = slots.put(object.name(), new Slot<>(object, writtenAt));
        if (before != null) {
            unindex(before.object());
        }
        object.owner()
                .ifPresent(owner -> byOwner.computeIfAbsent(owner.uid(), _ -> new TreeMap<>())
                        .put(object.name(), object));
        if (before != null && before.object().looksLike(object)) {
            return Optional.empty();
        }
        return Optional.of(new Change<>(Optional.ofNullable(before).map(Slot::object), Optional.of(object)));
    }

    private Optional<Change<T>> drop(ObjectName name) {
        Slot<T> before = slots.remove(name);
        if (before == null) {
            return Optional.empty();
        }
        unindex(before.object());
        return Optional.of(new Change<>(Optional.of(before.object()), Optional.empty()));
    }

    private void unindex(Cached<T> object) {
        object.owner()
                .ifPresent(owner -> byOwner.computeIfPresent(owner.uid(), (_, owned) -> {
                    owned.remove(object.name());
                    return owned.isEmpty() ? null : owned;
                }));
    }
}
