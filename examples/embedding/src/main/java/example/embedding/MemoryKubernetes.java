package example.embedding;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.KubernetesPort;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** A Kubernetes with one ValkeyCluster in it. Everything is done at once, and nothing fails. */
final class MemoryKubernetes implements KubernetesPort {

    /** A pod; {@code phase} and {@code exit} change as the simulation has it. */
    static final class Pod {
        final CreateMember member;
        final String uid;
        final String ip;
        final Instant createdAt;
        final SortedMap<String, String> labels;
        final SortedMap<String, String> annotations;
        PodView.Phase phase = PodView.Phase.PENDING;
        Optional<PodView.Exit> exit = Optional.empty();

        Pod(CreateMember member, int number, Instant createdAt) {
            this.member = member;
            this.uid = "pod-" + number;
            this.ip = "10.0.0." + number;
            this.createdAt = createdAt;
            this.labels = member.labels();
            this.annotations = member.annotations();
        }

        PodView view() {
            boolean running = phase == PodView.Phase.RUNNING;
            return new PodView(
                    member.name(),
                    uid,
                    member.shard(),
                    phase,
                    running,
                    false,
                    running ? Optional.of(ip) : Optional.empty(),
                    createdAt,
                    Optional.of(member.template()),
                    member.spec().server().image(),
                    Optional.empty(),
                    exit,
                    labels,
                    annotations);
        }
    }

    final SortedMap<NodeName, Pod> pods = new TreeMap<>();
    private final SortedMap<NodeName, NodeRecord> records = new TreeMap<>();
    private final Catalog catalog;
    private final InstantSource clock;
    private ClusterDeclaration declaration;
    private Optional<ClusterStatus> status = Optional.empty();
    private boolean service;
    private Optional<String> serverConfig = Optional.empty();
    private Optional<Credentials> credentials = Optional.empty();
    private Optional<AclFile> aclFile = Optional.empty();
    private OptionalInt minAvailable = OptionalInt.empty();
    private int made;

    MemoryKubernetes(ClusterDeclaration declaration, Catalog catalog, InstantSource clock) {
        this.declaration = declaration;
        this.catalog = catalog;
        this.clock = clock;
    }

    Optional<ClusterStatus> status() {
        return status;
    }

    @Override
    public Snapshot observe(ClusterKey key) {
        if (!key.equals(declaration.key())) {
            return new Gone();
        }
        SortedMap<NodeName, PodView> views = new TreeMap<>();
        pods.forEach((name, pod) -> views.put(name, pod.view()));
        KubernetesView view =
                new KubernetesView(records, views, service, serverConfig, credentials, aclFile, minAvailable);
        return new Present(declaration, catalog, view, status);
    }

    @Override
    public List<ActionResult> execute(ClusterDeclaration owner, List<KubernetesAction> actions) {
        return actions.stream().map(this::run).toList();
    }

    @Override
    public ActionResult publish(ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus next) {
        boolean same = status.equals(Optional.of(next));
        status = Optional.of(next);
        return same ? new ActionResult.AlreadyDone() : new ActionResult.Applied();
    }

    private ActionResult run(KubernetesAction action) {
        switch (action) {
            case KubernetesAction.ApplyService _ -> service = true;
            case KubernetesAction.ApplyServerConfig(String content) -> serverConfig = Optional.of(content);
            case KubernetesAction.CreateCredentials _ ->
                credentials =
                        Optional.of(new Credentials(SecretText.of("for-the-operator"), SecretText.of("for-peers")));
            case KubernetesAction.ApplyAclFile(AclFile content) -> aclFile = Optional.of(content);
            case KubernetesAction.ApplyDisruptionBudget(int pods) -> minAvailable = OptionalInt.of(pods);
            case KubernetesAction.MarkFormed _ -> declaration = declaration.withFormedAt(clock.instant());
            case CreateMember member -> create(member);
            case KubernetesAction.MarkPod mark -> {
                Pod pod = Optional.ofNullable(pods.get(mark.name())).orElseThrow();
                pod.labels.putAll(mark.labels());
                pod.annotations.putAll(mark.annotations());
            }
            case KubernetesAction.WriteRecordStatus write ->
                records.computeIfPresent(write.name(), (_, record) -> record.withStatus(write.status()));
            case KubernetesAction.DeletePod delete -> pods.remove(delete.name());
            case KubernetesAction.DeleteRecord delete -> records.remove(delete.name());
        }
        return new ActionResult.Applied();
    }

    private void create(CreateMember member) {
        made++;
        records.put(member.name(), member.record("node-" + made));
        pods.put(member.name(), new Pod(member, made, clock.instant()));
    }
}
