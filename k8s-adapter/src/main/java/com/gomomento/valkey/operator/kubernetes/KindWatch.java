package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.port.Journal;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps the mirror of one kind: lists it, then watches from there, for ever.
 *
 * <p>No trouble ends it. Whatever fails, be it a missing CRD, a revoked right, a dead server or a rubbish answer, is tried
 * again after a pause of at most {@link #LONGEST_PAUSE}, and told once a minute at most. A watch is asked to end after a
 * minute or so and is cut on this side if it hasn't by then, so a connection that died in silence leaves it deaf for no
 * longer than that; it goes on from the last version heard of, which bookmarks keep fresh. Expired history (410), and three
 * failures in a row, lead to a new list, which tells of everything that was missed.
 *
 * <p>Each object is read by itself: one that can't be read spoils no other.
 */
final class KindWatch<T> implements Runnable {

    /** Objects a page: bounds the memory that a list takes, whatever the size of the Kubernetes cluster. */
    private static final int PAGE = 100;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration TELL_AGAIN = Duration.ofMinutes(1);
    private static final int FAILURES_UNTIL_LIST = 3;

    private final ResourceKind kind;
    private final ApiServer api;
    private final KindCache<T> cache;
    private final Consumer<KindCache.Change<T>> changes;
    private final Predicate<KubeObject> reclaim;
    private final Journal journal;
    private final InstantSource clock;
    private final Pace pace;
    private final CountDownLatch synced = new CountDownLatch(1);
    private volatile Trouble trouble = Trouble.NONE;
    private volatile boolean ended;
    private int failures;

    /** What is wrong, since when, and when that was last told. */
    private record Trouble(Optional<String> reason, Optional<Instant> since, Optional<Instant> told) {

        private static final Trouble NONE = new Trouble(Optional.empty(), Optional.empty(), Optional.empty());

        /** A connection that breaks once and comes back is nothing to tell of. */
        boolean due(int failures, Instant now) {
            return failures > 1
                    && told.map(last -> last.plus(TELL_AGAIN).isBefore(now)).orElse(true);
        }
    }

    /**
     * Made once a kind.
     *
     * @param changes is told of every change of the mirror that the watch brought about
     * @param reclaim is given an object that fell out of the watch, and says whether it is still there
     */
    KindWatch(
            ApiServer api,
            KindCache<T> cache,
            Consumer<KindCache.Change<T>> changes,
            Predicate<KubeObject> reclaim,
            Journal journal,
            InstantSource clock,
            Pace pace) {
        this.kind = cache.kind();
        this.api = api;
        this.cache = cache;
        this.changes = changes;
        this.reclaim = reclaim;
        this.journal = journal;
        this.clock = clock;
        this.pace = pace;
    }

    /** Opens when the first list is in the mirror. */
    CountDownLatch synced() {
        return synced;
    }

    WatchHealth health() {
        Trouble now = trouble;
        return new WatchHealth(kind.kind(), synced.getCount() == 0, now.reason(), now.since(), ended);
    }

    /** Runs until its thread is interrupted. */
    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    follow(list());
                } catch (WatchFailure e) {
                    pauseAfter(e.reason());
                } catch (RuntimeException e) {
                    // Its text may quote what must not be shown.
                    pauseAfter("broken invariant: " + e.getClass().getName());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
        }
    }

    /** Lists everything, page by page, and returns the version from which to watch. */
    private String list() throws WatchFailure {
        long asked = System.nanoTime();
        List<Cached<T>> objects = new ArrayList<>();
        Optional<String> next = Optional.empty();
        String version;
        do {
            KubeObject page = page(next);
            for (KubeObject item : page.objects("items")) {
                objects.add(cache.read(item));
            }
            version = page.metadata().text("resourceVersion").orElse("");
            next = page.metadata().text("continue");
        } while (next.isPresent());
        cache.listed(objects, asked).forEach(changes);
        synced.countDown();
        failures = 0;
        restored();
        return version;
    }

    private KubeObject page(Optional<String> next) throws WatchFailure {
        String query = "?limit=" + PAGE
                + kind.labelSelector().map(s -> "&labelSelector=" + encode(s)).orElse("")
                + next.map(token -> "&continue=" + encode(token)).orElse("");
        return switch (api.get(kind.path() + query)) {
            case Answer.Reply reply when reply.successful() -> reply.body();
            case Answer.Reply reply -> throw new WatchFailure(reply.message(), reply.expired());
            case Answer.Silence(String reason) -> throw new WatchFailure(reason, false);
            case Answer.NotSent(String reason) -> throw new WatchFailure(reason, false);
        };
    }

    /** Watches from {@code version} on, one watch after the other, until only a new list helps. */
    private void follow(String version) throws InterruptedException {
        String heard = version;
        while (failures < FAILURES_UNTIL_LIST) {
            long seconds = pace.watch().toSeconds();
            seconds += ThreadLocalRandom.current().nextLong(1 + seconds / 2);
            long opened = System.nanoTime();
            try (WatchStream stream = api.watch(watchPath(heard, seconds))) {
                restored();
                long deadline =
                        opened + Duration.ofSeconds(seconds).plus(pace.slack()).toNanos();
                for (var line = stream.next(deadline); line.isPresent(); line = stream.next(deadline)) {
                    heard = take(line.get(), heard);
                    failures = 0;
                }
                failures = 0;
            } catch (WatchFailure e) {
                if (e.expired()) {
                    return;
                }
                pauseAfter(e.reason());
                continue;
            }
            if (System.nanoTime() - opened < FIRST_PAUSE.toNanos()) {
                // A server that ends each watch at once must not be asked in a tight loop.
                Thread.sleep(FIRST_PAUSE);
            }
        }
    }

    private String watchPath(String version, long seconds) {
        return kind.path() + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds
                + "&resourceVersion=" + encode(version)
                + kind.labelSelector().map(s -> "&labelSelector=" + encode(s)).orElse("");
    }

    /** Takes one event and returns the version that it brings us to. */
    private String take(byte[] line, String heard) throws WatchFailure {
        KubeObject event;
        try {
            event = new KubeObject(Json.read(line));
        } catch (IOException e) {
            throw new WatchFailure("the watch spoke no JSON", false);
        }
        KubeObject object = event.at("object");
        switch (event.text("type").orElse("")) {
            case "ADDED", "MODIFIED" -> cache.observed(cache.read(object)).ifPresent(changes);
            case "DELETED" -> {
                if (!strayed(object)) {
                    cache.observedGone(object.objectName(), object.uid(), System.nanoTime())
                            .ifPresent(changes);
                }
            }
            case "BOOKMARK" -> {
                // Brings only its version.
            }
            default -> {
                Answer.Reply status =
                        new Answer.Reply(object.number("code").orElse(0L).intValue(), object);
                throw new WatchFailure(status.message(), status.expired());
            }
        }
        return object.metadata().text("resourceVersion").orElse(heard);
    }

    /**
     * Whether the object is still there and only lost the label that it is watched by. One that was being deleted, or that
     * we know to be gone, is not looked after.
     */
    private boolean strayed(KubeObject object) {
        boolean missed = cache.get(object.objectName())
                .filter(known -> known.uid().equals(object.uid()))
                .isPresent();
        return missed && !object.terminating() && reclaim.test(object);
    }

    private void restored() {
        Trouble before = trouble;
        trouble = Trouble.NONE;
        if (before.told().isPresent()) {
            tell(Journal.Level.INFO, "watch restored", Optional.empty());
        }
    }

    private void pauseAfter(String reason) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        failures++;
        Instant now = clock.instant();
        Optional<Instant> since = trouble.since().or(() -> Optional.of(now));
        boolean due = trouble.due(failures, now);
        trouble = new Trouble(Optional.of(reason), since, due ? Optional.of(now) : trouble.told());
        if (due) {
            tell(Journal.Level.WARN, "watch failed, will retry", Optional.of(reason));
        }
        long longest = Math.min(FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10), LONGEST_PAUSE.toMillis());
        Thread.sleep(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2));
    }

    private void tell(Journal.Level level, String message, Optional<String> reason) {
        LinkedHashMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind.kind());
        reason.ifPresent(text -> fields.put("error", text));
        journal.record(new Journal.Entry(level, Mirror.TARGET, message, fields));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
