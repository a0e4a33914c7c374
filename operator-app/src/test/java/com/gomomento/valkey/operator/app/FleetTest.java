package com.gomomento.valkey.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.KubernetesPort;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import com.gomomento.valkey.operator.core.reconcile.ReconcileLoop;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FleetTest {

    private static final ClusterKey KEY = new ClusterKey("shop", "cache");

    /** News of a cluster's last objects come while its end is being found out: one more look, and no more. */
    @Test
    void aClusterThatIsGoneIsLookedAtOnceForEachTimeItIsHeardOf() throws InterruptedException {
        Empty kubernetes = new Empty();
        ReconcileLoop loop = new ReconcileLoop(kubernetes, new NoServers(), new SlfJournal(), ZoneSpread.BEST_EFFORT);
        try (Fleet fleet = new Fleet(loop, Clock.systemUTC())) {
            kubernetes.meanwhile = () -> fleet.wake(KEY, "related object updated");
            fleet.wake(KEY, "object updated");
            assertThat(kubernetes.looks.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
            assertThat(kubernetes.looks.tryAcquire(200, TimeUnit.MILLISECONDS))
                    .as("a third look, of which there is nothing to expect")
                    .isFalse();

            fleet.wake(KEY, "object updated");
            assertThat(kubernetes.looks.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A Kubernetes in which the cluster is gone. */
    private static final class Empty implements KubernetesPort {
        private final Semaphore looks = new Semaphore(0);
        private volatile Runnable meanwhile = () -> {};

        @Override
        public Snapshot observe(ClusterKey key) {
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            looks.release();
            return new Gone();
        }

        @Override
        public List<ActionResult> execute(ClusterDeclaration owner, List<KubernetesAction> actions) {
            throw new AssertionError("nobody owns " + actions);
        }

        @Override
        public ActionResult publish(ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus status) {
            throw new AssertionError("nobody has the status " + status);
        }
    }

    /** No server runs. */
    private static final class NoServers implements ValkeyPort {
        @Override
        public SortedMap<NodeName, NodeReport> observe(List<Target> targets) {
            throw new AssertionError("no server is to be asked: " + targets);
        }

        @Override
        public List<ActionResult> execute(SortedMap<NodeName, Target> targets, List<ValkeyAction> actions) {
            throw new AssertionError("no server is to be told: " + actions);
        }
    }
}
