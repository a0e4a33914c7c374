package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.Quantity;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code valkey.conf}: what the operator manages, what it sets unless the user says otherwise, and the user's own
 * directives. Each pod adds only what is its own (announced address and name) on its command line.
 */
public final class ServerConfig {

    /** Folder in which the container finds {@code valkey.conf}, from the ConfigMap. */
    public static final String CONFIG_DIR = "/etc/valkey/config";

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

    private static final Map<String, String> MANAGED = Map.of(
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
            "daemonize", "no");

    /** Every pod tolerates these for a while, whether it asks for it or not. */
    private static final Set<String> BY_API_SERVER =
            Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private ServerConfig() {}

    /** The file's content; equal wishes give equal bytes. */
    public static String render(ClusterSpec spec) {
        SortedMap<String, String> lines = new TreeMap<>(defaults(spec));
        lines.putAll(spec.server().directives());
        lines.putAll(MANAGED);
        StringBuilder file = new StringBuilder();
        lines.forEach((name, value) ->
                file.append(name).append(' ').append(quoted(value)).append('\n'));
        file.append("include ").append(ACCESS_DIR).append("/replication.conf\n");
        return file.toString();
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

    private static Map<String, String> defaults(ClusterSpec spec) {
        long maxmemory = spec.server().resources().memoryBytes() / 100 * MAXMEMORY_PERCENT;
        return Map.of(
                "maxmemory", Long.toString(maxmemory),
                // A cache that is lost with its pod has nothing to gain from snapshots, and a fork doubles its memory.
                "save", "",
                // Seconds until the engine declares a primary dead; see docs/adr.
                "cluster-node-timeout", "5000",
                // Shards that live go on serving while another one is down.
                "cluster-require-full-coverage", "no",
                // Waiting for more replicas to sync at once delays every first sync by 5 s.
                "repl-diskless-sync-delay", "0");
    }

    private static String quoted(String value) {
        return value.isEmpty() ? "\"\"" : value;
    }
}
