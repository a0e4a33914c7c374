package com.gomomento.valkey.operator.app;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.plan.Ledger;
import com.gomomento.valkey.operator.core.reconcile.ReconcileLoop;
import com.gomomento.valkey.operator.logging.Span;
import com.gomomento.valkey.operator.logging.Spans;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs each cluster's loop on a virtual thread of its own, so that no cluster waits for another. A thread ends with its
 * cluster and is started again when a cluster of that name is heard of.
 */
final class Fleet implements AutoCloseable {

    /** Why a step is taken when nothing but time called for it; the words of kube-rs, which users' pipelines know. */
    private static final String TIMER = "reconciler requested retry";

    private static final String ERROR = "error policy requested retry";

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);

    private final Logger log = LoggerFactory.getLogger("operator.controller");
    private final ReconcileLoop loop;
    private final Clock clock;
    private final Map<ClusterKey, Runner> runners = new HashMap<>();
    private boolean closed;

    Fleet(ReconcileLoop loop, Clock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** Has the cluster looked at soon. Returns at once. */
    synchronized void wake(ClusterKey key, String reason) {
        if (closed) {
            return;
        }
        Runner runner = runners.get(key);
        if (runner == null) {
            runner = new Runner(key);
            runners.put(key, runner);
            runner.mailbox.put(reason);
            runner.thread.start();
        } else {
            runner.mailbox.put(reason);
        }
    }

    /** Ends every loop where it stands; each step can be cut off anywhere. */
    @Override
    public synchronized void close() {
        closed = true;
        runners.values().forEach(runner -> runner.thread.interrupt());
        runners.clear();
    }

    /** Takes the runner off the list, unless somebody woke it meanwhile; returns why. */
    private synchronized Optional<String> retire(Runner runner) throws InterruptedException {
        Optional<String> reason = runner.mailbox.take(Duration.ZERO);
        if (reason.isEmpty()) {
            runners.remove(runner.key);
        }
        return reason;
    }

    private final class Runner {
        private final ClusterKey key;
        private final Mailbox mailbox = new Mailbox();
        private final Thread thread;
        private Ledger ledger = Ledger.EMPTY;
        private Duration retry = FIRST_RETRY;

        Runner(ClusterKey key) {
            this.key = key;
            this.thread = Thread.ofVirtual().name("reconcile " + key).unstarted(this::run);
        }

        private void run() {
            try {
                Optional<String> reason = mailbox.take(Duration.ZERO);
                while (reason.isPresent()) {
                    ReconcileLoop.Outcome outcome = step(reason.get());
                    ledger = outcome.ledger();
                    reason = outcome.gone() ? retire(this) : Optional.of(next(outcome.requeueAfter()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private String next(Duration requeueAfter) throws InterruptedException {
            String byItself = retry.equals(FIRST_RETRY) ? TIMER : ERROR;
            return mailbox.take(requeueAfter).orElse(byItself);
        }

        /** One step in its span. Whatever is thrown stops this step alone: it is told, and tried again ever later. */
        private ReconcileLoop.Outcome step(String reason) {
            Span span = Span.of(Level.INFO, "operator::controller", "reconciling object")
                    .with("object.ref", reference(key))
                    .with("object.reason", reason);
            return Spans.call(span, () -> {
                try {
                    ReconcileLoop.Outcome outcome = loop.step(key, ledger, clock.instant());
                    retry = FIRST_RETRY;
                    return outcome;
                } catch (Throwable thrown) {
                    log.atWarn()
                            .addKeyValue("cluster_name", key.name())
                            .setCause(thrown)
                            .log("reconcile error, requeuing");
                    retry = retry.multipliedBy(2).compareTo(LAST_RETRY) < 0 ? retry.multipliedBy(2) : LAST_RETRY;
                    return new ReconcileLoop.Outcome(ledger, retry, false);
                }
            });
        }
    }

    /** As the custom resource is named in log lines: {@code ValkeyCluster.v1alpha1.valkey.gomomento.com/NAME.NAMESPACE}. */
    private static String reference(ClusterKey key) {
        return "ValkeyCluster.v1alpha1.valkey.gomomento.com/" + key.name() + "." + key.namespace();
    }
}
