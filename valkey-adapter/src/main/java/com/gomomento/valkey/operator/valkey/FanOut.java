package com.gomomento.valkey.operator.valkey;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Runs the same task for many subjects, a virtual thread each, and gives up on those that take too long. */
final class FanOut implements AutoCloseable {

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("valkey-", 0).factory());
    /**
     * Runs {@code task} for every subject at the same time.
     *
     * @param limit for all of it; tasks have limits of their own, and this is the net below them
     * @param otherwise makes a result from the sentence that says why a task gave none
     * @return one result a subject, in their order
     */
    <S, R> List<R> all(List<S> subjects, Duration limit, Function<S, R> task, BiFunction<S, String, R> otherwise) {
        long end = System.nanoTime() + limit.toNanos();
        List<Future<R>> futures = new ArrayList<>();
        try {
            subjects.forEach(subject -> futures.add(threads.submit(() -> task.apply(subject))));
        } catch (RejectedExecutionException e) {
            futures.forEach(future -> future.cancel(true));
            return subjects.stream()
                    .map(subject -> otherwise.apply(subject, "the port is closed"))
                    .toList();
        }
        List<R> results = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i++) {
            results.add(result(subjects.get(i), futures.get(i), end, otherwise));
        }
        return List.copyOf(results);
    }

    private static <S, R> R result(S subject, Future<R> future, long end, BiFunction<S, String, R> otherwise) {
        try {
            return future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            return otherwise.apply(subject, "no result in time");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            return otherwise.apply(subject, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            return otherwise.apply(subject, "interrupted");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
