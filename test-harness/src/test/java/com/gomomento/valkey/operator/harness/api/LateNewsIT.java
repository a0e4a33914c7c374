package com.gomomento.valkey.operator.harness.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.logs.GuestOperator;
import com.gomomento.valkey.operator.harness.logs.LogLine;
import com.gomomento.valkey.operator.harness.scenario.Canaries;
import com.gomomento.valkey.operator.harness.scenario.ClusterView;
import com.gomomento.valkey.operator.harness.scenario.DisturbsOperator;
import com.gomomento.valkey.operator.harness.scenario.Patience;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import com.gomomento.valkey.operator.harness.scenario.ValkeyClusterHandle;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * B46: every event reaches the operator 8 s late while its writes pass at once, and a second client writes all the time. A
 * copy of the operator works through a proxy; the shipped one is scaled to nothing meanwhile.
 */
@ScenarioTest
@DisturbsOperator
class LateNewsIT {

    private static final Duration LATE = Duration.ofSeconds(8);
    private static final Duration FORMED = Duration.ofMinutes(3);
    private static final Duration HEALS = Duration.ofMinutes(2);
    private static final Duration TENTH = Duration.ofMillis(100);
    private static final String ANNOTATION = "example.com/second-client";

    /** A member, and the one that replaces it. */
    private static final int SURGE = 1;

    private static final int FLOOD = 100;
    private static final int MANY = 100;

    @Test
    void decisionsOnOldNewsDoNoHarm(Scenario scenario) {
        scenario.bench().operator().scale(0);
        try (ApiProxy proxy = ApiProxy.start(
                        scenario.bench().cluster(),
                        scenario.bench().client().getMasterUrl().toString());
                GuestOperator guest = GuestOperator.start(
                        scenario,
                        "late",
                        rules -> rules,
                        Map.of("RUST_LOG", "info", "KUBERNETES_MASTER", proxy.url()))) {
            proxy.delayEvents(LATE);
            guest.awaitRunning();
            Crowd crowd = new Crowd();
            scenario.history().onPod(crowd::see);
            ValkeyClusterHandle cluster = scenario.cluster("shop", 3, 1);
            scenario.check(cluster).settled(FORMED);
            Canaries canaries = cluster.writeCanaries();
            try (SecondClient second = new SecondClient(scenario, cluster)) {
                scenario.faults().deleteAtOnce(cluster.member(0, false));
                scenario.faults().kill(cluster.member(1, false));
                Patience.pause(LATE);
                cluster.patch(Map.of("replicasPerShard", 2));
                Patience.pause(LATE);
                cluster.patch(Map.of("replicasPerShard", 1));
                Patience.pause(LATE);
                proxy.delayEvents(Duration.ZERO);
                scenario.check(cluster).settled(HEALS);
                second.assertThatItsLastValuesAreThere();
            }
            canaries.assertAll();
            assertThat(proxy.delayed()).as("events that came late").isGreaterThan(MANY);
            assertThat(crowd.largest()).as("live pods of one shard").isLessThanOrEqualTo(3 + SURGE);
            assertThat(guest.lines().stream().filter(line -> line.level().equals("WARN")))
                    .as("no flood of warnings")
                    .hasSizeLessThan(FLOOD);
            assertThat(guest.lines()).noneMatch(line -> line.level().equals("ERROR"));
            assertThat(LogLine.problems(guest.printed(), onStandardError -> false))
                    .isEmpty();
        } finally {
            scenario.bench().operator().scale(1);
        }
    }

    /** Each kind has a watch of its own: what a cluster refers to may be news to the operator when the cluster is not. */
    @Test
    void aConfigurationOfWhichNoNewsHasComeIsLookedUp(Scenario scenario) {
        scenario.bench().operator().scale(0);
        try (ApiProxy proxy = ApiProxy.start(
                        scenario.bench().cluster(),
                        scenario.bench().client().getMasterUrl().toString());
                GuestOperator guest = GuestOperator.start(
                        scenario,
                        "late",
                        rules -> rules,
                        Map.of("RUST_LOG", "info", "KUBERNETES_MASTER", proxy.url()))) {
            guest.awaitRunning();
            proxy.delayEvents(
                    LATE.multipliedBy(2), path -> path.contains("valkeyconfigs") || path.contains("valkeyimages"));
            ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 0);
            scenario.check(cluster).settled(FORMED);
            assertThat(scenario.history().statuses("shop"))
                    .extracting(ClusterView::state)
                    .containsOnly("", "Creating", "Active");
        } finally {
            scenario.bench().operator().scale(1);
        }
    }

    /** How many live pods each shard had at most at one time. */
    private static final class Crowd {
        private final Map<String, String> shards = new ConcurrentHashMap<>();
        private int largest;

        synchronized void see(Pod pod) {
            String shard = pod.getMetadata().getLabels() == null
                    ? null
                    : pod.getMetadata().getLabels().get("valkey.gomomento.com/shard");
            boolean live = pod.getMetadata().getDeletionTimestamp() == null
                    && pod.getStatus() != null
                    && List.of("Pending", "Running").contains(pod.getStatus().getPhase());
            if (shard == null || !live) {
                shards.remove(pod.getMetadata().getName());
            } else {
                shards.put(pod.getMetadata().getName(), shard);
            }
            largest = Math.max(
                    largest,
                    shards.values().stream()
                            .collect(Collectors.groupingBy(name -> name, Collectors.counting()))
                            .values()
                            .stream()
                            .mapToInt(Long::intValue)
                            .max()
                            .orElse(0));
        }

        synchronized int largest() {
            return largest;
        }
    }

    /** Annotates the cluster, its records and its pods, ten times a second. */
    private static final class SecondClient implements AutoCloseable {
        private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

        private final Scenario scenario;
        private final ValkeyClusterHandle cluster;
        private final Map<String, String> last = new ConcurrentHashMap<>();
        private final Thread thread;
        private volatile boolean stopped;

        SecondClient(Scenario scenario, ValkeyClusterHandle cluster) {
            this.scenario = scenario;
            this.cluster = cluster;
            this.thread = Thread.ofVirtual().name("second-client").start(this::write);
        }

        private void write() {
            int round = 0;
            while (!stopped) {
                round++;
                List<HasMetadata> targets = new ArrayList<>();
                targets.addAll(cluster.pods());
                targets.addAll(cluster.records());
                HasMetadata target = targets.get(round % targets.size());
                String value = Integer.toString(round);
                cluster.annotate(ANNOTATION, value);
                last.put(cluster.name(), value);
                annotate(target, value);
                Patience.pause(TENTH);
            }
        }

        private void annotate(HasMetadata target, String value) {
            String patch = "{\"metadata\":{\"annotations\":{\"" + ANNOTATION + "\":\"" + value + "\"}}}";
            try {
                scenario.bench().client().resource(target).patch(MERGE, patch);
                last.put(key(target), value);
            } catch (KubernetesClientException e) {
                // It went between being listed and being written to.
                last.remove(key(target));
            }
        }

        void assertThatItsLastValuesAreThere() {
            close();
            Map<String, String> expected = new TreeMap<>();
            Map<String, String> found = new TreeMap<>();
            List<HasMetadata> all = new ArrayList<>(cluster.pods());
            all.addAll(cluster.records());
            for (HasMetadata object : all) {
                if (last.containsKey(key(object))) {
                    expected.put(key(object), last.get(key(object)));
                    found.put(key(object), object.getMetadata().getAnnotations().get(ANNOTATION));
                }
            }
            assertThat(found).isNotEmpty().isEqualTo(expected);
        }

        private static String key(HasMetadata object) {
            return object.getKind() + "/" + object.getMetadata().getName();
        }

        @Override
        public void close() {
            stopped = true;
            try {
                thread.join(HEALS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
