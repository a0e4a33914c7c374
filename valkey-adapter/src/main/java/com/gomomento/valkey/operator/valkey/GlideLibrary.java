package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import glide.api.logging.Logger;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * GLIDE's native library, loaded once a process, at first use.
 *
 * <p>Loading unpacks some 20 MB and takes from a tenth of a second to more than a second. It happens in a thread of its own:
 * in virtual threads, of which many begin at the same time, it would hold every one of the few threads that carry them, and
 * healthy servers would seem silent meanwhile.
 */
final class GlideLibrary {

    private static final CompletableFuture<Void> LOADED = new CompletableFuture<>();

    static {
        Thread.ofPlatform().daemon().name("glide-library").start(GlideLibrary::load);
    }

    private GlideLibrary() {}

    private static void load() {
        try {
            // The first use of the logger loads the library. It would print coloured lines to stdout, which belongs to
            // the
            // log, so it is switched off by the same call.
            Logger.init(Logger.Level.OFF);
            LOADED.complete(null);
        } catch (RuntimeException | LinkageError e) {
            LOADED.completeExceptionally(e);
        }
    }

    /**
     * Returns when the library is there.
     *
     * @throws NoAnswer when it is not yet, or can't be loaded at all
     */
    static void await(Duration limit) throws NoAnswer {
        try {
            LOADED.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new NoAnswer(Reason.OTHER, "GLIDE's native library is still being loaded");
        } catch (ExecutionException e) {
            throw new NoAnswer(
                    Reason.OTHER,
                    "GLIDE's native library can't be loaded into " + System.getProperty("java.io.tmpdir") + ": "
                            + root(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswer(Reason.OTHER, "interrupted while GLIDE's native library is being loaded");
        }
    }

    /** The first cause of all, which names the file or the symbol; those above it say only that something failed. */
    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }
}
