package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One watch a kind, each on a virtual thread, and whom they wake. Nobody is woken before all kinds were listed once: half a
 * view would look like lost pods.
 */
final class Watches implements AutoCloseable {

    private static final String OBJECT_UPDATED = "object updated";
    private static final String RELATED_UPDATED = "related object updated: ";

    private final Mirror mirror;
    private final OwnedWriter writer;
    private final Journal journal;
    private final SortedMap<ResourceKind, KindWatch<?>> watches = new TreeMap<>();
    private final KindWatch<?> nodes;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile WakeListener listener = (_, _) -> {};

    Watches(ApiServer api, Mirror mirror, OwnedWriter writer, Journal journal, InstantSource clock, Pace pace) {
        this.mirror = mirror;
        this.writer = writer;
        this.journal = journal;
        this.nodes = watch(mirror.nodes, api, clock, pace);
        for (ResourceKind kind : ResourceKind.values()) {
            watches.put(kind, kind == ResourceKind.NODE ? nodes : watch(mirror.of(kind), api, clock, pace));
        }
    }

    void start(WakeListener wakes) {
        listener = wakes;
        watches.forEach((kind, watch) ->
                startThread(kind.kind(), kind == ResourceKind.POD ? () -> runAfterNodes(watch) : watch));
        startThread("all", this::wakeAllOnceSynced);
    }

    boolean synced() {
        return ready.getCount() == 0;
    }

    boolean awaitSynced(Duration patience) throws InterruptedException {
        return ready.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    List<WatchHealth> health() {
        return watches.values().stream().<WatchHealth>map(KindWatch::health).toList();
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }

    private <T> KindWatch<T> watch(KindCache<T> cache, ApiServer api, InstantSource clock, Pace pace) {
        return new KindWatch<>(
                api,
                cache,
                change -> changed(cache.kind(), change),
                object -> cache.kind() == ResourceKind.POD
                        && writer.reclaim(ResourceKind.POD, object.objectName(), object.uid()),
                journal,
                clock,
                pace);
    }

    private void startThread(String name, Runnable work) {
        threads.add(Thread.ofVirtual().name("kubernetes-watch-" + name).start(work));
    }

    /**
     * A record may tell that its pod was there. Pods are listed after records, so that such a pod can be missing only if it
     * is really gone.
     */
    private void runAfterNodes(KindWatch<?> pods) {
        try {
            nodes.synced().await();
            pods.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void wakeAllOnceSynced() {
        try {
            for (KindWatch<?> watch : watches.values()) {
                watch.synced().await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        reclaimUnlistedPods();
        ready.countDown();
        mirror.clusterKeys().forEach(key -> wake(key, OBJECT_UPDATED));
    }

    /**
     * Looks for pods that are on record and were not listed: they may have lost the label that they are watched by while
     * nobody watched. All else of ours that loses its label is applied again, which brings it back; a pod is made only once.
     */
    private void reclaimUnlistedPods() {
        for (Cached<Decoded<NodeRecord>> node : mirror.nodes.all()) {
            if (node.value() instanceof Decoded.Usable<NodeRecord>(NodeRecord read)
                    && mirror.pods.get(node.name()).isEmpty()) {
                read.status().podUid().ifPresent(uid -> writer.reclaim(ResourceKind.POD, node.name(), uid));
            }
        }
    }

    private <T> void changed(ResourceKind kind, KindCache.Change<T> change) {
        change.after().ifPresent(object -> tellIfUnreadable(kind, object));
        if (!synced()) {
            return;
        }
        ObjectName name = change.after().or(change::before).orElseThrow().name();
        String related = RELATED_UPDATED + kind.reference(name);
        switch (kind) {
            case CLUSTER -> wake(Mirror.key(name), OBJECT_UPDATED);
            case CONFIG, IMAGE, ROLE -> mirror.usersOf(kind, name.name()).forEach(key -> wake(key, related));
            case NODE, POD, SERVICE, CONFIG_MAP, SECRET, DISRUPTION_BUDGET -> {
                Optional<Cached.Owner> before = change.before().flatMap(Cached::owner);
                Optional<Cached.Owner> after = change.after().flatMap(Cached::owner);
                before.ifPresent(owner -> wake(new ClusterKey(name.namespace(), owner.name()), related));
                after.filter(owner -> !before.equals(Optional.of(owner)))
                        .ifPresent(owner -> wake(new ClusterKey(name.namespace(), owner.name()), related));
            }
        }
    }

    private void wake(ClusterKey key, String reason) {
        try {
            listener.wake(key, reason);
        } catch (RuntimeException e) {
            tell(
                    "a wake-up was lost",
                    ResourceKind.CLUSTER,
                    ObjectName.of(key),
                    e.getClass().getName());
        }
    }

    private <T> void tellIfUnreadable(ResourceKind kind, Cached<T> object) {
        boolean ours = object.owner().isPresent() || kind.labelSelector().isEmpty();
        sentence(object.value())
                .filter(_ -> ours)
                .ifPresent(sentence -> tell("object can't be read", kind, object.name(), sentence));
    }

    private static Optional<String> sentence(Object value) {
        return switch (value) {
            case Decoded.Unusable<?>(String sentence) -> Optional.of(sentence);
            case Catalog.Unusable<?>(String sentence) -> Optional.of(sentence);
            case Readers.ClusterSeen seen
            when seen.declaration() instanceof Decoded.Unusable<?>(String sentence) -> Optional.of(sentence);
            default -> Optional.empty();
        };
    }

    private void tell(String message, ResourceKind kind, ObjectName name, String error) {
        LinkedHashMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("object", kind.reference(name));
        fields.put("error", error);
        journal.record(new Journal.Entry(Journal.Level.WARN, Mirror.TARGET, message, fields));
    }
}
