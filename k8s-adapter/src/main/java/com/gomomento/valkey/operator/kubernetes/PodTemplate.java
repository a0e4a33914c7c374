package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One member's Pod. What of it comes from the user's wish is what {@link ServerConfig#template} fingerprints; the rest is
 * the operator's own and reaches a pod when it is next replaced. It passes PodSecurity {@code restricted}. No credential
 * stands in its arguments or environment (invariant S19): the server reads them from mounted files.
 */
final class PodTemplate {

    /** Name of the server's container. */
    static final String CONTAINER = "valkey";

    /** User and group of the server in the official images. */
    private static final int VALKEY_ID = 999;

    /**
     * On SIGTERM a primary holds its clients for up to 10 s (the engine's {@code shutdown-timeout}) until its replicas have
     * caught up; this leaves it twice that to end by itself.
     */
    private static final int GRACE_SECONDS = 30;

    private static final int READABLE_BY_GROUP = 0440;
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";

    private PodTemplate() {}

    static Map<String, Object> pod(ClusterDeclaration owner, CreateMember member) {
        ClusterKey key = owner.key();
        Map<String, Object> pod = OwnedObjects.object(
                ResourceKind.POD, owner, Names.member(key, member.name()), Map.of("spec", spec(key, member)));
        OwnedObjects.withLabels(pod, member.labels());
        OwnedObjects.metadata(pod).put("annotations", member.annotations());
        return pod;
    }

    private static Map<String, Object> spec(ClusterKey key, CreateMember member) {
        Placement placement = member.spec().placement();
        SortedMap<String, Object> spec = new TreeMap<>();
        spec.put("restartPolicy", "Never");
        // With both, the pod gets a name of its own in DNS.
        spec.put("hostname", member.name().value());
        spec.put("subdomain", key.name());
        spec.put("terminationGracePeriodSeconds", GRACE_SECONDS);
        spec.put("automountServiceAccountToken", false);
        spec.put("enableServiceLinks", false);
        spec.put("securityContext", podSecurity());
        spec.put("containers", List.of(container(member)));
        spec.put("volumes", volumes(key));
        spec.put("topologySpreadConstraints", spread(key, member));
        if (!placement.zones().isEmpty()) {
            spec.put("affinity", zoneAffinity(placement.zones()));
        }
        if (!placement.nodeSelector().isEmpty()) {
            spec.put("nodeSelector", placement.nodeSelector());
        }
        if (!placement.tolerations().isEmpty()) {
            spec.put(
                    "tolerations",
                    placement.tolerations().stream()
                            .map(PodTemplate::toleration)
                            .toList());
        }
        return spec;
    }

    private static Map<String, Object> container(CreateMember member) {
        SortedMap<String, Object> container = new TreeMap<>();
        container.put("name", CONTAINER);
        container.put("image", member.spec().server().image());
        container.put("imagePullPolicy", "IfNotPresent");
        container.put("command", List.of("valkey-server"));
        container.put("args", args(member));
        container.put(
                "env",
                List.of(Map.of(
                        "name", "POD_IP", "valueFrom", Map.of("fieldRef", Map.of("fieldPath", "status.podIP")))));
        container.put(
                "ports",
                List.of(
                        Map.of("name", "client", "containerPort", ServerConfig.CLIENT_PORT),
                        Map.of("name", "bus", "containerPort", ServerConfig.BUS_PORT)));
        container.put("resources", resources(member.spec().server().resources()));
        container.put(
                "readinessProbe", Map.of("tcpSocket", Map.of("port", ServerConfig.CLIENT_PORT), "periodSeconds", 1));
        // A server that can't start says why on its last lines; they are all that is left of a failed pod.
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        container.put("securityContext", containerSecurity());
        container.put(
                "volumeMounts",
                List.of(
                        Map.of("name", "data", "mountPath", ServerConfig.DATA_DIR),
                        Map.of("name", "config", "mountPath", ServerConfig.CONFIG_DIR, "readOnly", true),
                        Map.of("name", "directives", "mountPath", ServerConfig.DIRECTIVES_DIR, "readOnly", true),
                        Map.of("name", "access", "mountPath", ServerConfig.ACCESS_DIR, "readOnly", true)));
        return container;
    }

    /** What is this pod's own and so can't stand in the shared file; kubelet fills in the address. */
    private static List<String> args(CreateMember member) {
        List<String> args = new ArrayList<>(List.of(
                ServerConfig.CONFIG_DIR + "/" + Names.CONFIG_KEY,
                "--cluster-announce-ip",
                "$(POD_IP)",
                "--cluster-announce-hostname",
                member.name().value() + "." + member.spec().endpointHost()));
        args.addAll(ServerConfig.arguments(member.spec()));
        return args;
    }

    /** Requests and limits alike: what a member gets is what it can rely on. */
    private static Map<String, Object> resources(Resources resources) {
        Map<String, String> amounts = Map.of("cpu", resources.cpu(), "memory", resources.memory());
        return Map.of("requests", amounts, "limits", amounts);
    }

    private static Map<String, Object> podSecurity() {
        return Map.of(
                "runAsNonRoot", true,
                "runAsUser", VALKEY_ID,
                "runAsGroup", VALKEY_ID,
                "fsGroup", VALKEY_ID,
                "seccompProfile", Map.of("type", "RuntimeDefault"));
    }

    private static Map<String, Object> containerSecurity() {
        return Map.of(
                "allowPrivilegeEscalation", false,
                "readOnlyRootFilesystem", true,
                "capabilities", Map.of("drop", List.of("ALL")));
    }

    private static List<Map<String, Object>> volumes(ClusterKey key) {
        return List.of(
                Map.of("name", "data", "emptyDir", Map.of()),
                Map.of(
                        "name",
                        "config",
                        "configMap",
                        Map.of("name", Names.serverConfig(key).name(), "defaultMode", READABLE_BY_GROUP)),
                Map.of("name", "directives", "downwardAPI", directives()),
                Map.of(
                        "name",
                        "access",
                        "secret",
                        Map.of("secretName", Names.access(key).name(), "defaultMode", READABLE_BY_GROUP)));
    }

    /** Kubelet shows the annotation to the server as a file. */
    private static Map<String, Object> directives() {
        Map<String, String> annotation = Map.of("fieldPath", "metadata.annotations['" + Markers.DIRECTIVES + "']");
        return Map.of(
                "defaultMode",
                READABLE_BY_GROUP,
                "items",
                List.of(Map.of("path", ServerConfig.DIRECTIVES_FILE, "fieldRef", annotation)));
    }

    private static Map<String, Object> zoneAffinity(List<String> zones) {
        Map<String, Object> inZone = Map.of("key", ZONE, "operator", "In", "values", zones);
        Map<String, Object> term = Map.of("matchExpressions", List.of(inZone));
        return Map.of(
                "nodeAffinity",
                Map.of("requiredDuringSchedulingIgnoredDuringExecution", Map.of("nodeSelectorTerms", List.of(term))));
    }

    /** The zones that a pod's spec requires. */
    static List<String> zones(KubeObject spec) {
        KubeObject affinity = spec.at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        return affinity.objects("nodeSelectorTerms").stream()
                .flatMap(term -> term.objects("matchExpressions").stream())
                .filter(expression -> expression.text("key").equals(Optional.of(ZONE)))
                .flatMap(expression -> expression.words("values").stream())
                .toList();
    }

    /**
     * A shard's members in different zones, as hard as asked for, and on different hosts where that can be. When the zones
     * of each shard are kept apart by force, the cluster as a whole is kept even as well, or all primaries might end in one
     * zone. Whom this member replaces doesn't count: it still runs while its successor is placed, and leaves its zone to it.
     */
    private static List<Map<String, Object>> spread(ClusterKey key, CreateMember member) {
        Map<String, Object> cluster = counted(Markers.selector(key), member);
        SortedMap<String, String> labels = Markers.selector(key);
        labels.put(Markers.SHARD, Integer.toString(member.shard().index()));
        Map<String, Object> shard = counted(labels, member);
        List<Map<String, Object>> constraints = new ArrayList<>();
        switch (member.spec().placement().zoneSpread()) {
            case BEST_EFFORT -> constraints.add(constraint(ZONE, "ScheduleAnyway", shard));
            case REQUIRED -> {
                constraints.add(constraint(ZONE, "DoNotSchedule", shard));
                constraints.add(constraint(ZONE, "ScheduleAnyway", cluster));
            }
        }
        constraints.add(constraint(HOST, "ScheduleAnyway", shard));
        return constraints;
    }

    /** Selects the pods with these labels, but for the one whose place this member takes. */
    private static Map<String, Object> counted(SortedMap<String, String> labels, CreateMember member) {
        SortedMap<String, Object> selector = new TreeMap<>();
        selector.put("matchLabels", labels);
        member.replaces()
                .ifPresent(name -> selector.put(
                        "matchExpressions",
                        List.of(Map.of("key", Markers.NODE, "operator", "NotIn", "values", List.of(name.value())))));
        return selector;
    }

    private static Map<String, Object> constraint(
            String topology, String whenUnsatisfiable, Map<String, Object> selector) {
        return Map.of(
                "maxSkew",
                1,
                "topologyKey",
                topology,
                "whenUnsatisfiable",
                whenUnsatisfiable,
                // A zone whose nodes are all tainted is none that a member could be put into.
                "nodeTaintsPolicy",
                "Honor",
                "labelSelector",
                selector);
    }

    private static Map<String, Object> toleration(Toleration toleration) {
        SortedMap<String, Object> fields = new TreeMap<>();
        toleration.key().ifPresent(value -> fields.put("key", value));
        toleration.operator().ifPresent(value -> fields.put("operator", value));
        toleration.value().ifPresent(value -> fields.put("value", value));
        toleration.effect().ifPresent(value -> fields.put("effect", value));
        toleration.tolerationSeconds().ifPresent(value -> fields.put("tolerationSeconds", value));
        return fields;
    }
}
