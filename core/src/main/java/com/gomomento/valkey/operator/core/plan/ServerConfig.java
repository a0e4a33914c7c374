package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.Quantity;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * With what a server is started. {@code valkey.conf} holds what is the same for every member of every cluster: what the
 * operator manages, and what it sets unless the user says otherwise. The user's own directives come with the pod, in the
 * annotation {@link Markers#DIRECTIVES} that it is made with and that kubelet shows to the server as a file: what a pod tells
 * and what its server reads can't differ, whenever the server starts. What else is the pod's own stands on its command line.
 */
public final class ServerConfig {

    /** Folder in which the container finds {@code valkey.conf}, from the ConfigMap. */
    public static final String CONFIG_DIR = "/etc/valkey/config";

    /** Folder in which the container finds {@link #DIRECTIVES_FILE}. */
    public static final String DIRECTIVES_DIR = "/etc/valkey/directives";

    /** The user's directives, as the pod's annotation has them. */
    public static final String DIRECTIVES_FILE = "user.conf";

    /** Folder in which the container finds {@code users.acl} and {@code replication.conf}, from the Secret. */
    public static final String ACCESS_DIR = "/etc/valkey/access";

    /** The one writable folder; lost with the pod. */
    public static final String DATA_DIR = "/data";

    /** Port of the client protocol. */
    public static final int CLIENT_PORT = 6379;

    /** Port of the cluster bus. */
    public static final int BUS_PORT = 16379;

    /** A full cache must answer an error rather than be killed by the kernel: the rest is for buffers and forks. */
    private static final int MAXMEMORY_PERCENT = 75;

    private static final SortedMap<String, String> MANAGED = new TreeMap<>(Map.of(
            "port", Integer.toString(CLIENT_PORT),
            "cluster-port", Integer.toString(BUS_PORT),
            "cluster-enabled", "yes",
            "cluster-config-file", "nodes.conf",
            // The engine must not move replicas between shards by itself: an emptied primary would follow its
            // receiver.
            "cluster-allow-replica-migration", "no",
            "dir", DATA_DIR,
            "aclfile", ACCESS_DIR + "/users.acl",
            // Without a password on the default user, a server refuses every address but its own loopback.
            "protected-mode", "no",
            "daemonize", "no"));

    private static final SortedMap<String, String> DEFAULTS = new TreeMap<>(Map.of(
            // A cache that is lost with its pod has nothing to gain from snapshots, and a fork doubles its memory.
            "save", "\"\"",
            // Seconds until the engine declares a primary dead; see docs/adr.
            "cluster-node-timeout", "5000",
            // Shards that live go on serving while another one is down.
            "cluster-require-full-coverage", "no",
            // Waiting for more replicas to sync at once delays every first sync by 5 s.
            "repl-diskless-sync-delay", "0"));

    private static final String FILE = lines(DEFAULTS) + "include " + DIRECTIVES_DIR + "/*.conf\n" + lines(MANAGED)
            + "include " + ACCESS_DIR + "/replication.conf\n";

    private static final String MAXMEMORY = "maxmemory";

    /** Every pod tolerates these for a while, whether it asks for it or not. */
    private static final Set<String> BY_API_SERVER =
            Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private ServerConfig() {}

    /**
     * {@code valkey.conf}. The later line wins. The user's file is included by a pattern, since none is there in a pod that
     * an older release of the operator has made and that starts only now.
     */
    public static String file() {
        return FILE;
    }

    private static String lines(SortedMap<String, String> directives) {
        return Directives.of(directives).text();
    }

    /**
     * What stands on the command line because it follows from the wish and from nothing in a file: the memory to use, unless
     * the user has set it.
     */
    public static List<String> arguments(ClusterSpec spec) {
        if (spec.server().directives().containsKey(MAXMEMORY)) {
            return List.of();
        }
        long maxmemory = spec.server().resources().memoryBytes() / 100 * MAXMEMORY_PERCENT;
        return List.of("--" + MAXMEMORY, Long.toString(maxmemory));
    }

    /** The user's directives, a line each, as a pod tells those that its server was started with. */
    public static String directives(ClusterSpec spec) {
        return Directives.of(spec.server().directives()).text();
    }

    /**
     * Names of the user's directives of which a pod's server is asked: those that the pod tells or, if it is of a release of
     * the operator that did not note them, those of the wish.
     */
    public static SortedSet<String> directivesOf(PodView pod, Optional<ClusterSpec> wish) {
        return new TreeSet<>(Optional.ofNullable(pod.annotations().get(Markers.DIRECTIVES))
                .map(text -> Directives.parse(text).values())
                .or(() -> wish.map(spec -> spec.server().directives()))
                .orElseGet(TreeMap::new)
                .keySet());
    }

    /**
     * What only another pod can change. The user's directives are not in it, since servers take most of them at run time
     * (see {@link Markers#DIRECTIVES}), nor is what the operator alone adds, so that an upgrade of the operator replaces no
     * pod.
     */
    public static Fingerprint template(ClusterSpec spec) {
        return Fingerprint.of(
                spec.server().image(),
                spec.server().resources().cpu(),
                spec.server().resources().memory(),
                String.join(",", spec.placement().zones()),
                spec.placement().nodeSelector().toString(),
                spec.placement().tolerations().toString());
    }

    /**
     * The same inputs as a pod shows them, for a pod that carries no {@link Markers#TEMPLATE}: the API server writes amounts
     * in its own form and adds tolerations of its own.
     */
    static Fingerprint shown(ClusterSpec spec) {
        return shown(
                spec.server().image(),
                spec.server().resources().cpu(),
                spec.server().resources().memory(),
                spec.placement());
    }

    /** As above, from what stands in a pod. */
    public static Fingerprint shown(String image, String cpu, String memory, Placement placement) {
        return Fingerprint.of(
                image,
                amount(cpu),
                amount(memory),
                String.join(",", placement.zones()),
                placement.nodeSelector().toString(),
                placement.tolerations().stream()
                        .filter(toleration ->
                                !BY_API_SERVER.contains(toleration.key().orElse("")))
                        .toList()
                        .toString());
    }

    private static String amount(String quantity) {
        return Quantity.parse(quantity)
                .map(amount -> amount.stripTrailingZeros().toPlainString())
                .orElse(quantity);
    }
}
