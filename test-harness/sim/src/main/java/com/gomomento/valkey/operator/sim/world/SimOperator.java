package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.plan.Ledger;
import com.gomomento.valkey.operator.core.port.KubernetesPort;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import com.gomomento.valkey.operator.core.reconcile.ReconcileLoop;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One life of one operator process: it steps each cluster when a watch wakes it or the step before asked for it, as the real
 * program does, and never steps one cluster twice at a time. When the process ends, ledgers and mirror are lost with it.
 */
final class SimOperator {

    private static final long WAKE_MILLIS = 1;

    private final Timeline timeline;
    private final Life life;
    private final ReconcileLoop loop;
    private final SortedMap<ClusterKey, Runner> runners = new TreeMap<>();

    SimOperator(Timeline timeline, Life life, ReconcileLoop loop) {
        this.timeline = timeline;
        this.life = life;
        this.loop = loop;
    }

    /** What a process is made of; the ports die with {@code life}. */
    record Ports(KubernetesPort kubernetes, ValkeyPort valkey) {}

    /** Has a cluster looked at soon. */
    void wake(ClusterKey key) {
        runners.computeIfAbsent(key, Runner::new).wake();
    }

    private final class Runner {

        private final ClusterKey key;
        private Ledger ledger = Ledger.EMPTY;
        private boolean stepping;
        private boolean woken;
        private long timer;

        Runner(ClusterKey key) {
            this.key = key;
        }

        void wake() {
            if (!woken) {
                woken = true;
                if (!stepping) {
                    plan(WAKE_MILLIS);
                }
            }
        }

        private void plan(long delayMillis) {
            timer++;
            long mine = timer;
            timeline.after(delayMillis, () -> {
                if (mine == timer && !life.ended()) {
                    step();
                }
            });
        }

        private void step() {
            stepping = true;
            woken = false;
            ReconcileLoop.Outcome outcome;
            try {
                outcome = loop.step(key, ledger, timeline.now());
            } catch (Life.Ended _) {
                return;
            }
            stepping = false;
            ledger = outcome.ledger();
            if (outcome.gone() && !woken) {
                runners.remove(key);
                return;
            }
            plan(woken ? WAKE_MILLIS : Math.max(WAKE_MILLIS, millis(outcome.requeueAfter())));
        }

        private static long millis(Duration delay) {
            return delay.toMillis();
        }
    }
}
