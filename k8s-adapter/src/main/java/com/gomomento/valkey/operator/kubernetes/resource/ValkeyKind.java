package com.gomomento.valkey.operator.kubernetes.resource;

/** The custom resources of this operator. Their schemas stand in {@code deploy/crds}, one file a kind. */
public enum ValkeyKind {
    /** A cluster that somebody wants; namespaced. */
    CLUSTER("ValkeyCluster", "valkeyclusters", true),
    /** The operator's own record of one member; namespaced. */
    NODE("ValkeyNode", "valkeynodes", true),
    /** A registered server image. */
    IMAGE("ValkeyImage", "valkeyimages", false),
    /** Image, resources and server directives, to be shared. */
    CONFIG("ValkeyConfig", "valkeyconfigs", false),
    /** A set of permissions that ACL users refer to. */
    ROLE("ValkeyRole", "valkeyroles", false);

    /** The API group of all kinds. */
    public static final String GROUP = "valkey.gomomento.com";

    /** The one served version. */
    public static final String VERSION = "v1alpha1";

    /** {@code apiVersion} of every object. */
    public static final String API_VERSION = GROUP + "/" + VERSION;

    private final String kind;
    private final String plural;
    private final boolean namespaced;

    ValkeyKind(String kind, String plural, boolean namespaced) {
        this.kind = kind;
        this.plural = plural;
        this.namespaced = namespaced;
    }

    /** The {@code kind} field, such as {@code ValkeyCluster}. */
    public String kind() {
        return kind;
    }

    /** The resource's name in URLs and rights, such as {@code valkeyclusters}. */
    public String plural() {
        return plural;
    }

    /** Whether objects live in a namespace. */
    public boolean namespaced() {
        return namespaced;
    }
}
