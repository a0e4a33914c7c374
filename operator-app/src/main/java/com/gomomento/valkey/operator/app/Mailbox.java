package com.gomomento.valkey.operator.app;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Holds at most one reason to look again: however many changes arrive during a step, one further step sees them all. */
final class Mailbox {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private Optional<String> reason = Optional.empty();

    /** Leaves a reason; the first of several is kept. */
    void put(String newReason) {
        lock.lock();
        try {
            if (reason.isEmpty()) {
                reason = Optional.of(newReason);
            }
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the reason, waiting for one at most {@code patience}; empty when none came. */
    Optional<String> take(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            long nanos = patience.toNanos();
            while (reason.isEmpty() && nanos > 0) {
                nanos = arrived.awaitNanos(nanos);
            }
            Optional<String> taken = reason;
            reason = Optional.empty();
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
