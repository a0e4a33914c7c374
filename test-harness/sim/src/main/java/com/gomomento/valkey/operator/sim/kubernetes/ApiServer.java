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
    /** What {@link #list} gave last, until something of the kind changes. */
    private final Map<Kind, List<Stored>> lists = new EnumMap<>(Kind.class);

    private final Map<Kind, List<Change>> histories = new EnumMap<>(Kind.class);
    private final List<Consumer<Change>> listeners = new ArrayList<>();
    private final TreeSet<String> clusterUids = new TreeSet<>();

    /** Seconds that each object that is being deleted has left at most, by UID. */
    private final Map<String, Integer> graces = new TreeMap<>();

    /** UIDs of objects whose fields were last written by an apply. */
    private final TreeSet<String> applied = new TreeSet<>();

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
        return lists.computeIfAbsent(
                kind,
                _ -> objects.values().stream()
                        .filter(object -> object.key().kind() == kind)
                        .toList());
    }

    /** Pods at most; more are refused as by a ResourceQuota. */
    public void limitPods(long most) {
        podQuota = most;
    }

    /** Every change of a kind's objects, in the order in which watches tell of them. */
    public List<Change> history(Kind kind) {
        return histories.getOrDefault(kind, List.of());
    }

    /** Makes a ValkeyCluster or an object of the catalog, as its user does. */
    public void create(ObjectKey key, Content content) {
        create(key, Optional.empty(), content);
    }

    /**
     * Creates an object.
     *
     * @param owner UID of the ValkeyCluster that controls it; one that is gone gets it collected
     */
    public Reply create(ObjectKey key, Optional<String> owner, Content content) {
        if (key.kind() == Kind.POD && countedPods() >= podQuota) {
            return new Reply.Forbidden("exceeded quota: pods, limited: pods=" + podQuota);
        }
        Stored there = objects.get(key);
        if (there != null) {
            return new Reply.AlreadyExists(key + " already exists");
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

    /**
     * Changes an object by a merge patch.
     *
     * @param uid that it must have
     * @param version at which it must be
     */
    public Reply update(ObjectKey key, Optional<String> uid, OptionalLong version, UnaryOperator<Content> how) {
        Stored there = objects.get(key);
        if (there == null) {
            return new Reply.NotFound(key + " not found");
        }
        if (version.isPresent() && version.getAsLong() != there.version()) {
            return new Reply.Conflict("the object has been modified; please apply your changes to the latest version");
        }
        if (uid.isPresent() && !uid.get().equals(there.uid())) {
            return otherUid(uid.get());
        }
        Content content = how.apply(there.content());
        if (content.equals(there.content())) {
            return new Reply.Found(there);
        }
        applied.remove(there.uid());
        return new Reply.Found(next(there, there.terminating(), content));
    }

    /**
     * Changes the status of a custom resource by a merge patch of the subresource, which takes no notice of a UID in it.
     *
     * @param version at which it must be
     */
    public Reply updateStatus(ObjectKey key, OptionalLong version, UnaryOperator<Content> how) {
        return update(key, Optional.empty(), version, how);
    }

    /**
     * Gives an object that has this UID the fields in {@code content} by a forced server-side apply. One that changes nothing
     * still makes a version, if it takes fields over that were last written otherwise: the object notes whose they are.
     */
    public Reply apply(ObjectKey key, String uid, Content content) {
        Stored there = objects.get(key);
        if (there == null) {
            return new Reply.Conflict(
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        if (!uid.equals(there.uid())) {
            return otherUid(uid);
        }
        boolean takesOver = applied.add(uid);
        return new Reply.Found(
                takesOver || !content.equals(there.content()) ? next(there, there.terminating(), content) : there);
    }

    private Stored next(Stored there, boolean terminating, Content content) {
        versions++;
        Stored next = there.at(versions, terminating, content);
        put(next);
        return next;
    }

    private static Reply otherUid(String uid) {
        return new Reply.Invalid("metadata.uid: Invalid value: \"" + uid + "\": field is immutable");
    }

    private static Reply another(String uid, Stored there) {
        return new Reply.Conflict(
                "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + there.uid());
    }

    /** Deletes an object as its user or the kubelet does. */
    public void delete(ObjectKey key, int graceSeconds) {
        delete(key, Optional.empty(), graceSeconds);
    }

    /**
     * Deletes an object.
     *
     * @param uid that it must have
     * @param graceSeconds how long its processes may take to end, 0 or more; only a Pod's do
     */
    public Reply delete(ObjectKey key, Optional<String> uid, int graceSeconds) {
        Stored there = objects.get(key);
        if (there == null) {
            return new Reply.NotFound(key + " not found");
        }
        if (uid.isPresent() && !uid.get().equals(there.uid())) {
            return another(uid.get(), there);
        }
        if (there.terminating()) {
            return deleteAgain(there, graceSeconds);
        }
        if (graceSeconds > 0 && lingers(there)) {
            return end(there, graceSeconds);
        }
        return removeNow(there);
    }

    /** What is being deleted can only be given less time than it has. */
    private Reply deleteAgain(Stored there, int graceSeconds) {
        if (graceSeconds >= graces.getOrDefault(there.uid(), 0)) {
            return new Reply.Found(there);
        }
        return graceSeconds == 0 ? removeNow(there) : end(there, graceSeconds);
    }

    private Reply end(Stored there, int graceSeconds) {
        graces.put(there.uid(), graceSeconds);
        return new Reply.Found(next(there, true, there.content()));
    }

    /** A quota counts pods until their processes have ended. */
    private long countedPods() {
        return list(Kind.POD).stream()
                .filter(pod -> !pod.pod().state().finished())
                .count();
    }

    private Reply removeNow(Stored there) {
        // Of a Pod it is noted that it ends even if it goes at once.
        remove(there.key().kind() == Kind.POD ? next(there, true, there.content()) : there);
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
        lists.remove(object.key().kind());
        tell(new Change(object, object.version(), false));
    }

    private void remove(Stored object) {
        objects.remove(object.key());
        applied.remove(object.uid());
        graces.remove(object.uid());
        lists.remove(object.key().kind());
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
