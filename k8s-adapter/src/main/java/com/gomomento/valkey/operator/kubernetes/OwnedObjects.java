package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceEncoder;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the operator makes for a cluster, the Pods aside, as the API takes it. All of it is owned by the cluster's UID. */
final class OwnedObjects {

    private static final String CLIENT_PORT_NAME = "client";
    private static final String BUS_PORT_NAME = "bus";

    /** A pod that doesn't serve protects nothing, so it may always be evicted. */
    private static final String EVICTION_POLICY = "AlwaysAllow";

    private OwnedObjects() {}

    /**
     * The headless Service under which members are found. Addresses that are not ready are published as well: members have
     * to find each other before they can become ready, and clients have to find a primary that is busy loading.
     */
    static Map<String, Object> service(ClusterDeclaration owner) {
        Map<String, Object> spec = Map.of(
                "type",
                "ClusterIP",
                "clusterIP",
                "None",
                "publishNotReadyAddresses",
                true,
                "selector",
                Markers.selector(owner.key()),
                "ports",
                List.of(port(CLIENT_PORT_NAME, ServerConfig.CLIENT_PORT), port(BUS_PORT_NAME, ServerConfig.BUS_PORT)));
        return object(ResourceKind.SERVICE, owner, Names.service(owner.key()), Map.of("spec", spec));
    }

    /** Whether {@code service} does what {@link #service} asks for. */
    static boolean isHeadlessService(KubeObject service) {
        KubeObject spec = service.at("spec");
        String name = service.objectName().name();
        return spec.text("clusterIP").equals(Optional.of("None"))
                && spec.flag("publishNotReadyAddresses")
                && spec.texts("selector").equals(Markers.selector(keyOf(service)))
                && name.equals(service.metadata().texts("labels").get(Markers.INSTANCE))
                && hasPort(spec, CLIENT_PORT_NAME, ServerConfig.CLIENT_PORT)
                && hasPort(spec, BUS_PORT_NAME, ServerConfig.BUS_PORT);
    }

    /** The ConfigMap with {@code valkey.conf}. */
    static Map<String, Object> serverConfig(ClusterDeclaration owner, String content) {
        return object(
                ResourceKind.CONFIG_MAP,
                owner,
                Names.serverConfig(owner.key()),
                Map.of("data", Map.of(Names.CONFIG_KEY, content)));
    }

    /** The Secret with the internal users' passwords. */
    static Map<String, Object> credentials(ClusterDeclaration owner, Credentials credentials) {
        return object(
                ResourceKind.SECRET,
                owner,
                Names.credentials(owner.key()),
                Map.of("type", "Opaque", "data", credentialsData(credentials)));
    }

    /** {@code data} of the Secret with the internal users' passwords. */
    static Map<String, String> credentialsData(Credentials credentials) {
        return Map.of(
                Names.OPERATOR_PASSWORD_KEY, base64(credentials.operator().reveal()),
                Names.REPLICATION_PASSWORD_KEY, base64(credentials.replication().reveal()));
    }

    /** The Secret with the files that let users and peers in, which pods mount. */
    static Map<String, Object> access(ClusterDeclaration owner, AclFile content) {
        return object(
                ResourceKind.SECRET,
                owner,
                Names.access(owner.key()),
                Map.of(
                        "type",
                        "Opaque",
                        "data",
                        Map.of(
                                Names.USERS_KEY, base64(content.users()),
                                Names.REPLICATION_KEY, base64(content.replication()))));
    }

    /**
     * The PodDisruptionBudget. {@code minAvailable} as a number, because {@code maxUnavailable} is reckoned against the
     * owner's scale subresource, and ours counts shards.
     */
    static Map<String, Object> disruptionBudget(ClusterDeclaration owner, int minAvailable) {
        Map<String, Object> spec = Map.of(
                "minAvailable", minAvailable,
                "unhealthyPodEvictionPolicy", EVICTION_POLICY,
                "selector", Map.of("matchLabels", Markers.selector(owner.key())));
        return object(ResourceKind.DISRUPTION_BUDGET, owner, Names.disruptionBudget(owner.key()), Map.of("spec", spec));
    }

    /** Whether {@code budget} protects what {@link #disruptionBudget} would protect, whatever its number. */
    static boolean isDisruptionBudget(KubeObject budget) {
        KubeObject spec = budget.at("spec");
        return spec.text("unhealthyPodEvictionPolicy").equals(Optional.of(EVICTION_POLICY))
                && spec.at("selector").texts("matchLabels").equals(Markers.selector(keyOf(budget)));
    }

    /** The record of a member. */
    static Map<String, Object> node(ClusterDeclaration owner, CreateMember member) {
        Map<String, Object> node = object(
                ResourceKind.NODE,
                owner,
                Names.member(owner.key(), member.name()),
                Map.of(
                        "spec",
                        ResourceEncoder.nodeSpec(
                                owner.key().name(), member.shard(), member.ordinal(), member.replaces())));
        withLabels(node, Markers.labels(owner.key(), member.shard()));
        return node;
    }

    /** An object of {@code owner}'s, with the labels of all its objects and {@code content} beside its metadata. */
    static Map<String, Object> object(
            ResourceKind kind, ClusterDeclaration owner, ObjectName name, Map<String, Object> content) {
        SortedMap<String, Object> metadata = new TreeMap<>();
        metadata.put("name", name.name());
        metadata.put("namespace", name.namespace());
        metadata.put("labels", Markers.labels(owner.key()));
        metadata.put("ownerReferences", List.of(ownerReference(owner)));
        SortedMap<String, Object> object = new TreeMap<>(content);
        object.put("apiVersion", kind.apiVersion());
        object.put("kind", kind.kind());
        object.put("metadata", metadata);
        return object;
    }

    /** Puts {@code labels} in the place of those that {@link #object} gave. */
    static Map<String, Object> withLabels(Map<String, Object> object, SortedMap<String, String> labels) {
        metadata(object).put("labels", labels);
        return object;
    }

    /** The metadata of an object made by {@link #object}, to be added to. */
    @SuppressWarnings("unchecked") // made above
    static Map<String, Object> metadata(Map<String, Object> object) {
        return (Map<String, Object>) object.getOrDefault("metadata", Map.of());
    }

    private static Map<String, Object> ownerReference(ClusterDeclaration owner) {
        return Map.of(
                "apiVersion",
                ValkeyKind.API_VERSION,
                "kind",
                ValkeyKind.CLUSTER.kind(),
                "name",
                owner.key().name(),
                "uid",
                owner.uid(),
                "controller",
                true,
                "blockOwnerDeletion",
                true);
    }

    private static ClusterKey keyOf(KubeObject object) {
        return new ClusterKey(
                object.objectName().namespace(), object.objectName().name());
    }

    private static Map<String, Object> port(String name, int number) {
        return Map.of("name", name, "port", number, "targetPort", name, "protocol", "TCP");
    }

    private static boolean hasPort(KubeObject spec, String name, int number) {
        return spec.objects("ports").stream()
                .anyMatch(port -> port.text("name").equals(Optional.of(name))
                        && port.number("port").equals(Optional.of((long) number)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
