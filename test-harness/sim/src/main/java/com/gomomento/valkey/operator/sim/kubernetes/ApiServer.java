package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The API server with its store: the one truth of Kubernetes. Writes are atomic; each makes a new version and one entry in
 * its kind's history, from which watches are fed. Also the garbage collector, which removes what a ValkeyCluster owned after
 * it is gone, and whatever is made later for an owner that no longer exists.
 */
public final class ApiServer {

    private static final long COLLECT_AT_LEAST_MILLIS = 20;
    private static final long COLLECT_AT_MOST_MILLIS = 2_000;
    private static final int COLLECTED_GRACE_SECONDS = 30;

    /**
     * One entry of a kind's history.
     *
     * @param object at this version; of a deleted one, as it was last
     * @param version of the change
     * @param deleted whether the object ended with it
     */
    public record Change(Stored object, long version, boolean deleted) {}

    private final Timeline timeline;
    private final Dice dice;
    private final TreeMap<ObjectKey, Stored> objects = new TreeMap<>();
    private final Map<Kind, List<Change>> histories = new EnumMap<>(Kind.class);
    private final List<Consumer<Change>> listeners = new ArrayList<>();
    private final TreeSet<String> clusterUids = new TreeSet<>();
    private long versions = 1_000;
    private long uids;
    private long podQuota = Long.MAX_VALUE;

    /** An empty store. */
    public ApiServer(Timeline timeline, Dice dice) {
        this.timeline = timeline;
        this.dice = dice;
        for (Kind kind : Kind.values()) {
            histories.put(kind, new ArrayList<>());
        }
    }

    /** Has {@code listener} told of every change at the moment it happens: what the truth looks like from inside. */
    public void listen(Consumer<Change> listener) {
        listeners.add(listener);
    }

    /** The object now. */
    public Optional<Stored> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    /** All objects of a kind now, by name. */
    public List<Stored> list(Kind kind) {
        return objects.values().stream()
                .filter(object -> object.key().kind() == kind)
                .toList();
    }

    /** Pods at most; more are refused as by a ResourceQuota. */
    public void limitPods(long most) {
        podQuota = most;
    }

    List<Change> history(Kind kind) {
        return histories.getOrDefault(kind, List.of());
    }

    /** Makes a ValkeyCluster or an object of the catalog, as its user does. */
    public void create(ObjectKey key, Content content) {
        create(key, Optional.empty(), content);
    }

    Reply create(ObjectKey key, Optional<String> owner, Content content) {
        Stored there = objects.get(key);
        if (there != null) {
            return new Reply.AlreadyExists(key + " already exists");
        }
        if (key.kind() == Kind.POD && list(Kind.POD).size() >= podQuota) {
            return new Reply.Forbidden("exceeded quota: pods, limited: pods=" + podQuota);
        }
        uids++;
        versions++;
        Stored made = new Stored(
                key,
                "uid-" + uids,
                versions,
                owner,
                timeline.now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
                false,
                content);
        if (key.kind() == Kind.CLUSTER) {
            clusterUids.add(made.uid());
        }
        put(made);
        if (owner.isPresent() && !clusterUids.contains(owner.get())) {
            collectLater(made);
        }
        return new Reply.Found(made);
    }

    /** Changes an object as its user or its kubelet does; no effect if it is gone or not of this UID. */
    public void change(ObjectKey key, String uid, UnaryOperator<Content> how) {
        update(key, Optional.of(uid), OptionalLong.empty(), how);
    }

    Reply update(ObjectKey key, Optional<String> uid, OptionalLong version, UnaryOperator<Content> how) {
        Stored there = objects.get(key);
        if (there == null) {
            return new Reply.NotFound(key + " not found");
        }
        if (uid.isPresent() && !uid.get().equals(there.uid())) {
            return another(uid.get(), there);
        }
        if (version.isPresent() && version.getAsLong() != there.version()) {
            return new Reply.Conflict("the object has been modified; please apply your changes to the latest version");
        }
        Content content = how.apply(there.content());
        if (content.equals(there.content())) {
            return new Reply.Found(there);
        }
        versions++;
        Stored changed = there.at(versions, there.terminating(), content);
        put(changed);
        return new Reply.Found(changed);
    }

    private static Reply another(String uid, Stored there) {
        return new Reply.Conflict(
                "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + there.uid());
    }

    /** Deletes an object as its user or the kubelet does. */
    public void delete(ObjectKey key, int graceSeconds) {
        delete(key, Optional.empty(), graceSeconds);
    }

    Reply delete(ObjectKey key, Optional<String> uid, int graceSeconds) {
        Stored there = objects.get(key);
        if (there == null) {
            return new Reply.NotFound(key + " not found");
        }
        if (uid.isPresent() && !uid.get().equals(there.uid())) {
            return another(uid.get(), there);
        }
        if (graceSeconds > 0 && lingers(there)) {
            if (there.terminating()) {
                return new Reply.Found(there);
            }
            versions++;
            Stored ending = there.at(versions, true, there.content());
            put(ending);
            return new Reply.Found(ending);
        }
        remove(there);
        return new Reply.Deleted();
    }

    /** A bound pod that has not ended is removed by its kubelet once its processes are gone; all else goes at once. */
    private static boolean lingers(Stored object) {
        return object.content() instanceof Content.Pod pod
                && pod.state().machine().isPresent()
                && !pod.state().finished();
    }

    private void put(Stored object) {
        objects.put(object.key(), object);
        tell(new Change(object, object.version(), false));
    }

    private void remove(Stored object) {
        objects.remove(object.key());
        versions++;
        if (object.key().kind() == Kind.CLUSTER) {
            clusterUids.remove(object.uid());
            objects.values().stream()
                    .filter(dependent -> dependent.ownedBy(object.uid()))
                    .forEach(this::collectLater);
        }
        tell(new Change(object, versions, true));
    }

    private void collectLater(Stored orphan) {
        timeline.after(
                dice.between(COLLECT_AT_LEAST_MILLIS, COLLECT_AT_MOST_MILLIS),
                () -> delete(orphan.key(), Optional.of(orphan.uid()), COLLECTED_GRACE_SECONDS));
    }

    private void tell(Change change) {
        histories
                .computeIfAbsent(change.object().key().kind(), _ -> new ArrayList<>())
                .add(change);
        listeners.forEach(listener -> listener.accept(change));
    }
}
