package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One member of a {@link Scene}. Its fields are bent by tests before they plan. */
final class SceneNode {

    final int shard;
    final int ordinal;
    final NodeName name;
    NodeId id;
    String podUid;
    String ip;
    boolean recorded = true;
    boolean podExists = true;
    /** Whether the ValkeyNode already names the pod and the id. */
    boolean noted = true;

    /** Another pod that the ValkeyNode names instead. */
    Optional<String> notedPodUid = Optional.empty();

    boolean joined;
    boolean met;
    boolean ready = true;
    boolean terminating;
    boolean answers = true;
    boolean hangs;
    boolean linkUp = true;
    boolean syncing;
    boolean clusterOk = true;
    PodView.Phase phase = PodView.Phase.RUNNING;
    Optional<NodeName> replaces = Optional.empty();
    Optional<PodView.Trouble> trouble = Optional.empty();
    Optional<PodView.Exit> exit = Optional.empty();
    Optional<String> template = Optional.empty();
    Optional<String> access = Optional.empty();
    Optional<String> directives = Optional.empty();
    Optional<String> told = Optional.empty();

    /** Its pod is of a release of the operator that noted nothing on it. */
    boolean ofOldRelease;

    /** Directives as its server tells them. */
    SortedMap<String, String> tells = new TreeMap<>();

    Optional<SceneNode> follows = Optional.empty();
    String version = "9.1.2";
    SlotSet slots = SlotSet.EMPTY;
    long epoch;
    Instant createdAt;
    /** Labels that somebody has changed. */
    final SortedMap<String, String> wrongLabels = new TreeMap<>();

    List<SlotMigration> migrations = List.of();
    long offset;
    long usedBytes;
    long maxBytes;

    /** Lines of this node's own view that differ from the truth. */
    final SortedMap<NodeId, Optional<MemberBelief>> delusions = new TreeMap<>();

    private final Scene scene;

    SceneNode(Scene scene, int shard, int ordinal) {
        this.scene = scene;
        this.shard = shard;
        this.ordinal = ordinal;
        int number = scene.made++;
        this.name =
                new NodeName("cache-%05x".formatted(shard * 16 + ordinal + 256 * generationOf(scene, shard, ordinal)));
        this.id = new NodeId("%040x".formatted(number + 1));
        this.podUid = "pod-" + number;
        this.ip = "10.0.0." + (number + 1);
        this.createdAt = scene.now.minusSeconds(3600);
    }

    private static long generationOf(Scene scene, int shard, int ordinal) {
        return scene.nodes.stream()
                .filter(other -> other.shard == shard && other.ordinal == ordinal)
                .count();
    }

    /** Ended by itself. */
    SceneNode died(String reason, int exitCode, String message) {
        phase = PodView.Phase.FAILED;
        ready = false;
        exit = Optional.of(new PodView.Exit(reason, Optional.of(exitCode), message));
        return this;
    }

    /** Deleted from Kubernetes, by whoever. */
    SceneNode vanished() {
        podExists = false;
        return this;
    }

    /** Its pod runs and its server hangs: neither the operator nor its peers hear it. */
    SceneNode frozen() {
        answers = false;
        hangs = true;
        return this;
    }

    /** Joined for good: introduced, following, written down. */
    SceneNode joinedUnder(SceneNode primary) {
        met = true;
        joined = true;
        follows = Optional.of(primary);
        return this;
    }

    Optional<NodeRecord> record() {
        if (!recorded) {
            return Optional.empty();
        }
        NodeRecord.Status status = noted
                ? new NodeRecord.Status(
                        joined ? Lifecycle.ACTIVE : Lifecycle.JOINING,
                        Optional.of(role()),
                        Optional.of(notedPodUid.orElse(podUid)),
                        Optional.of(ip),
                        Optional.of(id))
                : NodeRecord.Status.NEW;
        return Optional.of(new NodeRecord(name, "node-" + name, false, Scene.shard(shard), ordinal, replaces, status));
    }

    private SortedMap<String, String> labels() {
        SortedMap<String, String> labels = Markers.labels(Scene.KEY, Scene.shard(shard), name);
        if (ofOldRelease) {
            labels.remove(Markers.NODE);
        }
        labels.put(Markers.ROLE, role() == Role.PRIMARY ? "primary" : "replica");
        labels.putAll(wrongLabels);
        return labels;
    }

    Optional<PodView> pod() {
        if (!podExists) {
            return Optional.empty();
        }
        boolean running = phase == PodView.Phase.RUNNING;
        String fingerprint =
                template.orElseGet(() -> ServerConfig.template(scene.spec()).hex());
        return Optional.of(new PodView(
                name,
                podUid,
                Scene.shard(shard),
                phase,
                ready && running,
                terminating,
                running ? Optional.of(ip) : Optional.empty(),
                createdAt,
                Optional.of(new Fingerprint(fingerprint)),
                "docker.io/valkey/valkey:9.1.2",
                trouble,
                exit,
                labels(),
                annotations()));
    }

    private SortedMap<String, String> annotations() {
        if (ofOldRelease) {
            return new TreeMap<>();
        }
        SortedMap<String, String> annotations = Scene.sorted(Map.of(
                Markers.DIRECTIVES,
                directives.orElseGet(() -> Directives.of(scene.directives).text()),
                Markers.ACCESS,
                access.orElseGet(() -> scene.accessFile().fingerprint().hex())));
        told.ifPresent(text -> annotations.put(Markers.DIRECTIVES_TOLD, text));
        return annotations;
    }

    NodeReport report() {
        if (!podExists || phase != PodView.Phase.RUNNING) {
            return new NodeReport.NotAsked();
        }
        if (!answers) {
            return new NodeReport.Unreachable(NodeReport.Unreachable.Reason.TIMEOUT, "no answer within 1.5 s");
        }
        SortedMap<NodeId, MemberBelief> view = new TreeMap<>();
        for (SceneNode other : scene.nodes) {
            if (other == this || (met && other.met)) {
                view.put(other.id, other.line());
            }
        }
        delusions.forEach((subject, line) -> {
            view.remove(subject);
            line.ifPresent(belief -> view.put(subject, belief));
        });
        return new NodeReport.Reachable(
                id,
                version,
                role(),
                follows.map(primary -> new NodeReport.ReplicaLink(linkUp, syncing, primary.ip)),
                new ReplicationOffset(offset),
                clusterOk,
                view.values().stream()
                        .mapToLong(line -> line.epoch().value())
                        .max()
                        .orElse(0),
                scene.beliefs(new Beliefs(view)),
                migrations,
                new NodeReport.MemoryUse(usedBytes, maxBytes),
                tells);
    }

    /** How all others see this node. */
    MemberBelief line() {
        boolean dead = hangs || !podExists || phase != PodView.Phase.RUNNING;
        return new MemberBelief(
                id,
                Optional.of(ip),
                Optional.of(name + ".cache.shop.svc.cluster.local"),
                role(),
                follows.map(primary -> primary.id),
                dead ? MemberBelief.Health.FAILED : MemberBelief.Health.OK,
                false,
                !dead,
                new ConfigEpoch(epoch),
                slots,
                List.of());
    }

    private Role role() {
        return follows.isPresent() ? Role.REPLICA : Role.PRIMARY;
    }
}
