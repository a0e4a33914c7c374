package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sets up what the planner sees, in a few words: by default every object that a cluster leans on exists, and nodes that have
 * met agree on everything. Tests then bend what they are about.
 */
final class Scene {

    static final ClusterKey KEY = new ClusterKey("shop", "cache");
    static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    static final Credentials CREDENTIALS = new Credentials(SecretText.of("operator-pw"), SecretText.of("repl-pw"));

    final List<SceneNode> nodes = new ArrayList<>();
    int made;
    int shards;
    int replicas;
    long generation = 1;
    boolean formed;
    boolean support = true;
    boolean paused;
    /** Release that is wished. */
    String version = "9.1.2";

    Optional<ClusterState> published = Optional.empty();
    Optional<String> unusable = Optional.empty();
    Ledger ledger = Ledger.EMPTY;
    Instant now = NOW;
    List<AclUser> users = List.of();
    SortedMap<String, String> directives = new TreeMap<>();

    SortedMap<String, String> podAnnotations = new TreeMap<>();

    private final Map<Beliefs, Beliefs> shared = new HashMap<>();

    private Scene(int shards, int replicas) {
        this.shards = shards;
        this.replicas = replicas;
    }

    static Scene of(int shards, int replicas) {
        return new Scene(shards, replicas);
    }

    /** Every member that the wish asks for, running and reachable, knowing nobody and owning nothing. */
    Scene withFreshNodes() {
        for (int shard = 0; shard < shards; shard++) {
            for (int ordinal = 0; ordinal <= replicas; ordinal++) {
                nodes.add(new SceneNode(this, shard, ordinal));
            }
        }
        return this;
    }

    /** A formed cluster in perfect order, Active before. */
    static Scene active(int shards, int replicas) {
        Scene scene = Scene.of(shards, replicas).withFreshNodes();
        scene.formed = true;
        scene.published = Optional.of(ClusterState.ACTIVE);
        for (SceneNode node : scene.nodes) {
            node.met = true;
            node.joined = true;
            if (node.ordinal == 0) {
                node.slots = SlotSet.share(node.shard, shards);
                node.epoch = node.shard + 1L;
            } else {
                node.follows = Optional.of(scene.node(node.shard, 0));
            }
        }
        return scene;
    }

    SceneNode node(int shard, int ordinal) {
        return nodes.stream()
                .filter(node -> node.shard == shard && node.ordinal == ordinal)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    SceneNode add(int shard, int ordinal) {
        SceneNode node = new SceneNode(this, shard, ordinal);
        nodes.add(node);
        return node;
    }

    /** Nodes that believe the same are given the same object, as adapters do. */
    Beliefs beliefs(Beliefs beliefs) {
        return shared.computeIfAbsent(beliefs, same -> same);
    }

    ClusterSpec spec() {
        return new ClusterSpec(
                KEY,
                generation,
                shards,
                replicas,
                new ServerSpec(
                        "docker.io/valkey/valkey:" + version,
                        ServerVersion.parse(version),
                        new Resources("1", "100Mi", 104857600L),
                        directives),
                Placement.ANYWHERE,
                users,
                podAnnotations);
    }

    AclFile accessFile() {
        return AccessFile.render(List.of(), CREDENTIALS);
    }

    ClusterDeclaration declaration() {
        return new ClusterDeclaration(
                KEY,
                "uid-1",
                generation,
                false,
                formed ? Optional.of(NOW.minusSeconds(3600)) : Optional.empty(),
                "config",
                shards,
                replicas,
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                new TreeMap<>(),
                List.of(),
                podAnnotations,
                paused);
    }

    Observation observation() {
        SortedMap<NodeName, NodeRecord> records = new TreeMap<>();
        SortedMap<NodeName, PodView> pods = new TreeMap<>();
        SortedMap<NodeName, NodeReport> reports = new TreeMap<>();
        for (SceneNode node : nodes) {
            node.record().ifPresent(record -> records.put(node.name, record));
            node.pod().ifPresent(pod -> pods.put(node.name, pod));
            reports.put(node.name, node.report());
        }
        KubernetesView view = support
                ? new KubernetesView(
                        records,
                        pods,
                        true,
                        Optional.of(ServerConfig.file()),
                        Optional.of(CREDENTIALS),
                        Optional.of(accessFile()),
                        OptionalInt.of(shards * (1 + replicas) - 1))
                : new KubernetesView(
                        records,
                        pods,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalInt.empty());
        return new Observation(view, reports);
    }

    /** Everything that the planner is given. */
    record Input(
            ClusterDeclaration declaration,
            Resolution resolution,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        Plan plan() {
            return Planner.plan(declaration, resolution, observation, published, ledger, now);
        }
    }

    Input input() {
        Resolution resolution =
                unusable.<Resolution>map(Resolution.Unusable::new).orElseGet(() -> new Resolution.Resolved(spec()));
        Optional<ClusterStatus> status = published.map(state -> new ClusterStatus(
                state, "", generation, List.of(), shards, List.of(), 0, 0, 0, Optional.empty(), "cache:6379"));
        return new Input(declaration(), resolution, observation(), status, ledger, now);
    }

    Plan plan() {
        return input().plan();
    }

    /** Plans with this status published. */
    Plan plan(ClusterStatus told) {
        Input input = input();
        return new Input(
                        input.declaration(),
                        input.resolution(),
                        input.observation(),
                        Optional.of(told),
                        input.ledger(),
                        input.now())
                .plan();
    }

    /** Plans, and remembers for the next plan what the planner wants remembered. */
    Plan planAndRemember() {
        Plan plan = plan();
        ledger = plan.ledger();
        return plan;
    }

    static ShardId shard(int index) {
        return new ShardId(index);
    }

    static SortedMap<String, String> sorted(Map<String, String> map) {
        return new TreeMap<>(map);
    }
}
