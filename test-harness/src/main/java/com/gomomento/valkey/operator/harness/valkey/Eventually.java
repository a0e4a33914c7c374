package com.gomomento.valkey.operator.harness.valkey;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what comes by itself. */
public final class Eventually {

    private static final Duration PAUSE = Duration.ofMillis(25);

    private Eventually() {}

    /**
     * Returns once {@code condition} holds.
     *
     * @param what is waited for, for the message
     * @throws AssertionError when it does not hold within {@code limit}
     */
    public static void holds(String what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what + " did not come within " + limit.toMillis() + " ms");
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
