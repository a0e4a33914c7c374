package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import java.util.Optional;

/** What is watched and written, and at which paths of the API it is found. */
enum ResourceKind {
    CLUSTER(ValkeyKind.CLUSTER),
    NODE(ValkeyKind.NODE),
    CONFIG(ValkeyKind.CONFIG),
    IMAGE(ValkeyKind.IMAGE),
    ROLE(ValkeyKind.ROLE),
    POD("Pod", "", "v1", "pods"),
    SERVICE("Service", "", "v1", "services"),
    CONFIG_MAP("ConfigMap", "", "v1", "configmaps"),
    SECRET("Secret", "", "v1", "secrets"),
    DISRUPTION_BUDGET("PodDisruptionBudget", "policy", "v1", "poddisruptionbudgets");

    private final String kind;
    private final String group;
    private final String version;
    private final String plural;
    private final boolean namespaced;
    private final boolean labelled;

    ResourceKind(ValkeyKind custom) {
        this.kind = custom.kind();
        this.group = ValkeyKind.GROUP;
        this.version = ValkeyKind.VERSION;
        this.plural = custom.plural();
        this.namespaced = custom.namespaced();
        this.labelled = false;
    }

    /** A built-in kind, of which only the operator's own objects are looked at. */
    ResourceKind(String kind, String group, String version, String plural) {
        this.kind = kind;
        this.group = group;
        this.version = version;
        this.plural = plural;
        this.namespaced = true;
        this.labelled = true;
    }

    String kind() {
        return kind;
    }

    /** {@code apiVersion} of an object. */
    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Which of all objects are watched; empty for all. */
    Optional<String> labelSelector() {
        return labelled ? Optional.of(Markers.MANAGED_BY + "=" + Markers.OPERATOR) : Optional.empty();
    }

    /** Path of all objects in all namespaces. */
    String path() {
        return root() + "/" + plural;
    }

    /** Path of the objects in one namespace, to which new ones are posted. */
    String path(String namespace) {
        return namespaced ? root() + "/namespaces/" + namespace + "/" + plural : path();
    }

    /** Path of one object. */
    String path(ObjectName name) {
        return path(name.namespace()) + "/" + name.name();
    }

    /** Names an object in the way of {@code object.ref} and {@code object.reason} in the logs. */
    String reference(ObjectName name) {
        String reference = kind + "." + version + "." + group + "/" + name.name();
        return name.namespace().isEmpty() ? reference : reference + "." + name.namespace();
    }

    private String root() {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }
}
