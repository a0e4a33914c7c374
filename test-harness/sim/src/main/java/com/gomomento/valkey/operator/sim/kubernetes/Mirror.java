package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What one operator knows of Kubernetes, kind by kind, fed by its watches and its own writes. */
public final class Mirror {

    private static final long START_AT_MOST_MILLIS = 30;

    private final Map<Kind, KindMirror> mirrors = new EnumMap<>(Kind.class);
    private final Map<Kind, WatchFeed> feeds = new EnumMap<>(Kind.class);
    private final Map<Kind, Boolean> synced = new EnumMap<>(Kind.class);
    private final Consumer<ClusterKey> wake;
    private final Dice dice;

    /**
     * Starts to watch.
     *
     * @param wake is given every cluster once all is known, and then for every change
     */
    public Mirror(
            ApiServer api, Timeline timeline, Dice dice, ApiWeather weather, Life life, Consumer<ClusterKey> wake) {
        this.wake = wake;
        this.dice = dice;
        for (Kind kind : Kind.values()) {
            KindMirror mirror = new KindMirror(this::changed);
            mirrors.put(kind, mirror);
            feeds.put(
                    kind, new WatchFeed(kind, api, timeline, dice.split(), mirror, weather, life, () -> listed(kind)));
        }
        api.listen(change -> feed(change.object().key().kind()).deliverNews());
        for (Kind kind : Kind.values()) {
            if (kind != Kind.POD) {
                feed(kind).list(dice.below((int) START_AT_MOST_MILLIS));
            }
        }
    }

    /** Breaks one watch: deaf for a while, or, for {@code anew}, listed anew after that time. */
    public void disturb(Kind kind, long millis, boolean anew) {
        if (anew) {
            feed(kind).list(millis);
        } else {
            feed(kind).goDeaf(millis);
        }
    }

    /** No watch stays deaf. */
    public void mend() {
        feeds.values().forEach(WatchFeed::mend);
    }

    /** Whether everything was listed once. */
    public boolean ready() {
        return synced.size() == Kind.values().length;
    }

    KindMirror of(Kind kind) {
        return Optional.ofNullable(mirrors.get(kind)).orElseThrow();
    }

    Optional<Stored> get(ObjectKey key) {
        return of(key.kind()).get(key);
    }

    List<Stored> ownedBy(Kind kind, String uid) {
        return of(kind).all().stream().filter(object -> object.ownedBy(uid)).toList();
    }

    Catalog catalog() {
        return catalog(of(Kind.CONFIG).all(), of(Kind.IMAGE).all());
    }

    /** What ValkeyClusters may refer to, out of these objects. */
    public static Catalog catalog(List<Stored> configObjects, List<Stored> imageObjects) {
        SortedMap<String, Catalog.Entry<Catalog.Config>> configs = new TreeMap<>();
        for (Stored object : configObjects) {
            if (object.content() instanceof Content.Config(Catalog.Config config)) {
                configs.put(object.key().name(), new Catalog.Usable<>(config));
            }
        }
        SortedMap<String, Catalog.Entry<Catalog.Image>> images = new TreeMap<>();
        for (Stored object : imageObjects) {
            if (object.content() instanceof Content.Image(Catalog.Image image)) {
                images.put(object.key().name(), new Catalog.Usable<>(image));
            }
        }
        return new Catalog(configs, images, Check.sortedCopy(Map.of()));
    }

    private WatchFeed feed(Kind kind) {
        return Optional.ofNullable(feeds.get(kind)).orElseThrow();
    }

    private void listed(Kind kind) {
        boolean first = synced.put(kind, true) == null;
        if (first && kind == Kind.NODE) {
            // A record may tell that its pod was there; listed after it, the pod can be missing only if it is gone.
            feed(Kind.POD).list(dice.below((int) START_AT_MOST_MILLIS));
        }
        if (first && ready()) {
            of(Kind.CLUSTER).all().forEach(this::changed);
        }
    }

    private void changed(Stored object) {
        if (!ready()) {
            return;
        }
        switch (object.key().kind()) {
            case CLUSTER -> wake.accept(key(object));
            case CONFIG, IMAGE -> of(Kind.CLUSTER).all().forEach(cluster -> wake.accept(key(cluster)));
            case NODE, POD, SERVICE, CONFIG_MAP, SECRET, DISRUPTION_BUDGET ->
                of(Kind.CLUSTER).all().stream()
                        .filter(cluster -> object.ownedBy(cluster.uid()))
                        .forEach(cluster -> wake.accept(key(cluster)));
        }
    }

    private static ClusterKey key(Stored cluster) {
        return new ClusterKey(cluster.key().namespace(), cluster.key().name());
    }
}
