package com.gomomento.valkey.operator.kubernetes.resource;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.UserDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Reads custom resources into the core's values. The API server has checked them against the schema, but perhaps an older
 * one, so nothing is taken for granted: whatever can't be read gives a sentence for people.
 */
public final class ResourceDecoder {

    private ResourceDecoder() {}

    /**
     * A ValkeyCluster. One whose {@code status.formedAt} can't be read is unreadable as a whole: taken for a cluster that
     * never served, it would be formed anew over its data (invariant S17).
     */
    public static Decoded<ClusterDeclaration> cluster(CustomObject resource) {
        return read(resource, ResourceDecoder::readCluster);
    }

    /** The status that stands on a ValkeyCluster; empty when there is none, or none that this version can read. */
    public static Optional<ClusterStatus> clusterStatus(CustomObject resource) {
        return switch (readClusterStatus(resource)) {
            case Decoded.Usable<Optional<ClusterStatus>>(Optional<ClusterStatus> value) -> value;
            case Decoded.Unusable<Optional<ClusterStatus>> _ -> Optional.empty();
        };
    }

    /** As {@link #clusterStatus}, with the reason if it can't be read. */
    static Decoded<Optional<ClusterStatus>> readClusterStatus(CustomObject resource) {
        return read(resource, (_, root) -> readClusterStatus(root.object("status")));
    }

    /** A ValkeyNode. */
    public static Decoded<NodeRecord> node(CustomObject resource) {
        return read(resource, ResourceDecoder::readNode);
    }

    /** Name of the ValkeyCluster that a ValkeyNode is a member of, as its spec has it; empty if it can't be read. */
    public static Optional<String> clusterNameOfNode(CustomObject resource) {
        Decoded<String> name = read(resource, (_, root) -> root.object("spec").requiredText("clusterName"));
        return switch (name) {
            case Decoded.Usable<String>(String value) -> Optional.of(value);
            case Decoded.Unusable<String> _ -> Optional.empty();
        };
    }

    /** A ValkeyConfig. */
    public static Catalog.Entry<Catalog.Config> config(CustomObject resource) {
        return entry(read(resource, (_, root) -> readConfig(root.object("spec"))));
    }

    /** A ValkeyImage. */
    public static Catalog.Entry<Catalog.Image> image(CustomObject resource) {
        return entry(read(resource, (_, root) -> readImage(root.object("spec"))));
    }

    /** A ValkeyRole. */
    public static Catalog.Entry<Catalog.AccessRole> role(CustomObject resource) {
        return entry(read(resource, (_, root) -> readRole(root.object("spec"))));
    }

    private static <T> Decoded<T> read(CustomObject resource, BiFunction<CustomObject, Fields, T> reader) {
        try {
            return new Decoded.Usable<>(reader.apply(resource, Fields.root(resource.content())));
        } catch (UnreadableFieldException | IllegalArgumentException e) {
            // The core's values check themselves; what they refuse came from this object.
            return new Decoded.Unusable<>(
                    Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName()));
        }
    }

    private static <T> Catalog.Entry<T> entry(Decoded<T> decoded) {
        return switch (decoded) {
            case Decoded.Usable<T>(T value) -> new Catalog.Usable<>(value);
            case Decoded.Unusable<T>(String sentence) -> new Catalog.Unusable<>(sentence);
        };
    }

    private static ClusterDeclaration readCluster(CustomObject object, Fields root) {
        Fields spec = root.object("spec");
        Fields placement = spec.object("placement");
        return new ClusterDeclaration(
                new ClusterKey(object.namespace(), object.name()),
                object.uid(),
                object.generation(),
                object.deleting(),
                root.object("status").time("formedAt"),
                spec.requiredText("configRef"),
                spec.requiredInteger("shards"),
                spec.integer("replicasPerShard").orElse(0),
                spec.objects("acl").stream().map(ResourceDecoder::readUser).toList(),
                readTlsSecret(spec),
                placement.texts("zones"),
                placement.word("zoneSpread", Words.ZONE_SPREAD),
                placement.textMap("nodeSelector"),
                placement.objects("tolerations").stream()
                        .map(ResourceDecoder::readToleration)
                        .toList(),
                spec.textMap("podAnnotations"),
                spec.flag("paused"));
    }

    /** An empty {@code tls} is a wish for TLS that names no Secret, and must not end as a cluster in plain text. */
    private static Optional<String> readTlsSecret(Fields spec) {
        return spec.has("tls") ? Optional.of(spec.object("tls").requiredText("secretRef")) : Optional.empty();
    }

    private static UserDeclaration readUser(Fields user) {
        return new UserDeclaration(
                user.requiredText("username"),
                user.texts("passwordHashes"),
                user.objects("permissions").stream()
                        .map(permission -> new UserDeclaration.Permission(
                                permission.requiredText("roleRef"),
                                permission.objects("keys").stream()
                                        .map(key -> new UserDeclaration.KeyPattern(
                                                key.requiredText("pattern"),
                                                key.requiredWord("access", Words.KEY_ACCESS)))
                                        .toList(),
                                permission.texts("channels")))
                        .toList());
    }

    private static Toleration readToleration(Fields toleration) {
        return new Toleration(
                toleration.text("key"),
                toleration.text("operator"),
                toleration.text("value"),
                toleration.text("effect"),
                toleration.wholeNumber("tolerationSeconds"));
    }

    private static Optional<ClusterStatus> readClusterStatus(Fields status) {
        if (!status.has("state")) {
            return Optional.empty();
        }
        return Optional.of(new ClusterStatus(
                status.requiredWord("state", Words.STATES),
                status.text("message").orElse(""),
                status.wholeNumber("observedGeneration").orElse(0),
                status.objects("conditions").stream()
                        .map(ResourceDecoder::readCondition)
                        .toList(),
                status.integer("shards").orElse(0),
                status.objects("nodes").stream()
                        .map(ResourceDecoder::readNodeLine)
                        .toList(),
                status.integer("readyNodes").orElse(0),
                status.integer("desiredNodes").orElse(0),
                status.integer("slotsAssigned").orElse(0),
                status.text("version"),
                status.text("endpoint").orElse("")));
    }

    private static ClusterStatus.Condition readCondition(Fields condition) {
        return new ClusterStatus.Condition(
                condition.requiredText("type"),
                condition.requiredWord("status", Words.CONDITION_STATUS),
                condition.text("reason").orElse(""),
                condition.text("message").orElse(""));
    }

    private static ClusterStatus.Node readNodeLine(Fields node) {
        return new ClusterStatus.Node(
                new NodeName(node.requiredText("name")),
                new ShardId(node.requiredInteger("shard")),
                node.word("role", Words.ROLES),
                node.requiredWord("lifecycle", Words.LIFECYCLES),
                node.flag("ready"));
    }

    private static NodeRecord readNode(CustomObject object, Fields root) {
        Fields spec = root.object("spec");
        return new NodeRecord(
                new NodeName(object.name()),
                object.uid(),
                object.deleting(),
                new ShardId(spec.requiredInteger("shard")),
                spec.requiredInteger("ordinal"),
                spec.text("replaces").map(NodeName::new),
                readNodeStatus(root.object("status")));
    }

    private static NodeRecord.Status readNodeStatus(Fields status) {
        return new NodeRecord.Status(
                status.word("lifecycle", Words.LIFECYCLES).orElse(NodeRecord.Status.NEW.lifecycle()),
                status.word("role", Words.ROLES),
                status.text("podUID"),
                status.text("podIP"),
                status.text("nodeId").map(NodeId::new));
    }

    private static Catalog.Config readConfig(Fields spec) {
        Fields resources = spec.object("resources");
        return new Catalog.Config(
                spec.text("baseRef"),
                spec.text("imageRef"),
                resources.scalar("cpu"),
                resources.scalar("memory"),
                spec.scalarMap("valkey"));
    }

    /** A digest says exactly what runs, so it wins over a tag. */
    private static Catalog.Image readImage(Fields spec) {
        String repository = spec.requiredText("repository");
        Optional<String> byTag = spec.text("tag").map(tag -> repository + ":" + tag);
        Optional<String> byDigest = spec.text("digest").map(digest -> repository + "@" + digest);
        String reference = byDigest.or(() -> byTag)
                .orElseThrow(
                        () -> new UnreadableFieldException("spec has neither tag nor digest, needed is one of them"));
        return new Catalog.Image(reference, spec.requiredText("version"));
    }

    private static Catalog.AccessRole readRole(Fields spec) {
        return new Catalog.AccessRole(readRules(spec, "categories"), readRules(spec, "commands"));
    }

    private static List<Catalog.AccessRule> readRules(Fields spec, String name) {
        return spec.objects(name).stream()
                .map(rule -> new Catalog.AccessRule(
                        rule.requiredText("name"), rule.requiredWord("access", Words.RULE_ACCESS)))
                .toList();
    }
}
