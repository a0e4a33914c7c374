package example.embedding;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.Ledger;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.core.reconcile.ReconcileLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A world with a clock of its own, in which the operator forms a cluster and heals it. */
public final class Simulation {

    private static final ClusterKey KEY = new ClusterKey("shop", "cache");
    private static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration POD_STARTS_AFTER = Duration.ofSeconds(2);
    private static final int MOST_STEPS = 1_000;

    final MemoryKubernetes kubernetes;
    final MemoryValkey valkey = new MemoryValkey();
    final List<String> told = new ArrayList<>();
    private final ReconcileLoop loop;
    private Ledger ledger = Ledger.EMPTY;
    private Instant now = BEGINNING;

    /** A world in which a user has just asked for three shards of two. */
    public Simulation() {
        ClusterDeclaration declaration = ClusterDeclaration.of(KEY, "cluster-uid", "small", 3, 1);
        Catalog.Config config = new Catalog.Config(
                Optional.empty(), Optional.of("valkey"), Optional.of("1"), Optional.of("1Gi"), new TreeMap<>());
        Catalog.Image image = new Catalog.Image("docker.io/valkey/valkey:9.1.2", "9.1.2");
        Catalog catalog = Catalog.of(Map.of("small", config), Map.of("valkey", image));
        kubernetes = new MemoryKubernetes(declaration, catalog, () -> now);
        loop = new ReconcileLoop(kubernetes, valkey, this::tell, ZoneSpread.BEST_EFFORT);
    }

    /** Forms the cluster, kills a replica, and shows what the operator says meanwhile. */
    public static void main(String[] args) {
        Simulation simulation = new Simulation();
        simulation.runUntilAllIsWell();
        simulation.killAReplica();
        simulation.runUntilAllIsWell();
        simulation.told.forEach(System.out::println);
    }

    /** One step of the operator, and the time until the next. */
    private void step() {
        ReconcileLoop.Outcome outcome = loop.step(KEY, ledger, now);
        ledger = outcome.ledger();
        Instant next = now.plus(outcome.requeueAfter());
        for (MemoryKubernetes.Pod pod : kubernetes.pods.values()) {
            Instant starts = pod.createdAt.plus(POD_STARTS_AFTER);
            // Whatever happens wakes the operator before its time is up.
            next = pod.phase == PodView.Phase.PENDING && starts.isBefore(next) ? starts : next;
        }
        now = next;
        startPods();
    }

    private void startPods() {
        for (MemoryKubernetes.Pod pod : kubernetes.pods.values()) {
            if (pod.phase == PodView.Phase.PENDING
                    && !pod.createdAt.plus(POD_STARTS_AFTER).isAfter(now)) {
                pod.phase = PodView.Phase.RUNNING;
                valkey.start(pod.ip);
            }
        }
    }

    /**
     * Steps until the operator calls the cluster Active and does nothing any more.
     *
     * @throws IllegalStateException when that takes too many steps
     */
    public void runUntilAllIsWell() {
        int quiet = 0;
        for (int i = 0; i < MOST_STEPS && quiet < 3; i++) {
            int before = told.size();
            step();
            boolean active = kubernetes.status().map(ClusterStatus::state).equals(Optional.of(ClusterState.ACTIVE));
            quiet = active && told.size() == before ? quiet + 1 : 0;
        }
        if (quiet < 3) {
            throw new IllegalStateException("still " + kubernetes.status());
        }
        say("the cluster is "
                + kubernetes.status().map(status -> status.state().word()).orElse("unknown"));
    }

    /** The process of some replica ends, and its kubelet says so. */
    public void killAReplica() {
        MemoryKubernetes.Pod victim = kubernetes.pods.values().stream()
                .filter(pod -> valkey.at(pod.ip)
                        .filter(server -> server.role() == Role.REPLICA)
                        .isPresent())
                .findFirst()
                .orElseThrow();
        valkey.stop(victim.ip);
        victim.phase = PodView.Phase.FAILED;
        victim.exit = Optional.of(new PodView.Exit("OOMKilled", Optional.of(137), ""));
        say(victim.member.name() + ", a replica of shard "
                + victim.member.shard().index() + ", is killed");
    }

    private void tell(Journal.Entry entry) {
        // Every now and then the operator shows that it is alive.
        if (!entry.message().endsWith("tick")) {
            Map<String, Object> fields = new TreeMap<>(entry.fields());
            fields.keySet().removeAll(List.of("cluster_name", "forgotten_id"));
            fields.computeIfPresent(
                    "primary_id", (_, id) -> "..." + id.toString().substring(38));
            say("  " + entry.message() + (fields.isEmpty() ? "" : " " + fields));
        }
    }

    private void say(String line) {
        Duration since = Duration.between(BEGINNING, now);
        told.add(String.format(Locale.ROOT, "%6.2f s  %s", since.toMillis() / 1000.0, line));
    }
}
