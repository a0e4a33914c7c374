package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.KubernetesPort;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Kubernetes as one operator's loop sees it: it reads its mirror and writes to the API server. Actions of one step are run one
 * after the other in an order by lot, since their executor promises none.
 */
public final class SimKubernetesPort implements KubernetesPort {

    private final Mirror mirror;
    private final ActionRunner runner;
    private final Dice dice;

    /** A port of the operator whose {@code life} it is. */
    public SimKubernetesPort(
            ApiServer api,
            Mirror mirror,
            Timeline timeline,
            Dice dice,
            ApiWeather weather,
            Life life,
            WriteListener writes) {
        this.mirror = mirror;
        this.dice = dice;
        this.runner = new ActionRunner(new ApiClient(api, timeline, dice.split(), weather, life, writes), mirror);
    }

    @Override
    public Snapshot observe(ClusterKey key) {
        Check.that(mirror.ready(), "observed before everything was listed");
        return mirror.get(ObjectKey.cluster(key))
                .<Snapshot>map(cluster -> present(key, cluster))
                .orElseGet(Gone::new);
    }

    @Override
    public List<ActionResult> execute(ClusterDeclaration owner, List<KubernetesAction> actions) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < actions.size(); i++) {
            order.add(dice.below(order.size() + 1), i);
        }
        ActionResult pending = new ActionResult.Unknown("not run yet");
        List<ActionResult> results = new ArrayList<>(Collections.nCopies(actions.size(), pending));
        for (int i : order) {
            results.set(i, runner.run(owner, actions.get(i)));
        }
        return List.copyOf(results);
    }

    @Override
    public ActionResult publish(ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus status) {
        return runner.publish(owner, observed, status);
    }

    private Present present(ClusterKey key, Stored cluster) {
        String uid = cluster.uid();
        SortedMap<NodeName, NodeRecord> records = new TreeMap<>();
        for (Stored node : mirror.ownedBy(Kind.NODE, uid)) {
            records.put(new NodeName(node.key().name()), record(node));
        }
        SortedMap<NodeName, PodView> pods = new TreeMap<>();
        for (Stored pod : mirror.ownedBy(Kind.POD, uid)) {
            pods.put(new NodeName(pod.key().name()), pod(pod));
        }
        KubernetesView view = new KubernetesView(
                records,
                pods,
                own(ObjectKey.service(key), uid).isPresent(),
                own(ObjectKey.serverConfig(key), uid).flatMap(SimKubernetesPort::serverConfig),
                own(ObjectKey.credentials(key), uid).flatMap(SimKubernetesPort::credentials),
                own(ObjectKey.access(key), uid).flatMap(SimKubernetesPort::access),
                own(ObjectKey.budget(key), uid)
                        .map(SimKubernetesPort::minAvailable)
                        .orElse(OptionalInt.empty()));
        return new Present(
                declaration(key, cluster),
                mirror.catalog(),
                view,
                cluster.cluster().status());
    }

    /** A ValkeyCluster as the core takes it. */
    public static ClusterDeclaration declaration(ClusterKey key, Stored cluster) {
        Content.Cluster content = cluster.cluster();
        return new ClusterDeclaration(
                key,
                cluster.uid(),
                content.generation(),
                cluster.terminating(),
                content.formedAt(),
                content.wish().config(),
                content.wish().shards(),
                content.wish().replicasPerShard(),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Check.sortedCopy(Map.of()),
                List.of(),
                content.wish().podAnnotations(),
                content.wish().paused());
    }

    private static NodeRecord record(Stored stored) {
        Content.Node node = stored.node();
        return new NodeRecord(
                new NodeName(stored.key().name()),
                stored.uid(),
                stored.terminating(),
                node.shard(),
                node.ordinal(),
                node.replaces(),
                node.status());
    }

    private static PodView pod(Stored stored) {
        Content.Pod pod = stored.pod();
        Content.PodState state = pod.state();
        return new PodView(
                new NodeName(stored.key().name()),
                stored.uid(),
                pod.shard(),
                state.phase(),
                state.ready(),
                stored.terminating(),
                state.ip(),
                stored.createdAt(),
                Optional.of(pod.template()),
                pod.image(),
                state.trouble(),
                state.exit(),
                pod.labels(),
                pod.annotations());
    }

    private Optional<Content> own(ObjectKey key, String uid) {
        return mirror.get(key).filter(object -> object.ownedBy(uid)).map(Stored::content);
    }

    private static Optional<String> serverConfig(Content content) {
        return content instanceof Content.ServerConfig(String file) ? Optional.of(file) : Optional.empty();
    }

    private static Optional<Credentials> credentials(Content content) {
        return content instanceof Content.Credentials(Credentials passwords)
                ? Optional.of(passwords)
                : Optional.empty();
    }

    private static Optional<AclFile> access(Content content) {
        return content instanceof Content.Access(AclFile file) ? Optional.of(file) : Optional.empty();
    }

    private static OptionalInt minAvailable(Content content) {
        return content instanceof Content.DisruptionBudget(int least) ? OptionalInt.of(least) : OptionalInt.empty();
    }
}
