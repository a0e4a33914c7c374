package com.gomomento.valkey.operator.core.declare;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The server directives that the operator keeps for itself. A user who could set them could unmake what the operator builds
 * on: where the server listens and stores, how members find, trust and follow each other, and where the log goes. The
 * schema of ValkeyConfig refuses the same ones.
 */
public final class OwnedDirectives {

    /** Whole names, in lower case. */
    public static final SortedSet<String> NAMES = new TreeSet<>(List.of(
            // Where it listens and runs.
            "bind",
            "port",
            "protected-mode",
            "daemonize",
            "supervised",
            "pidfile",
            // Where it stores and logs.
            "dir",
            "logfile",
            // How members form a cluster.
            "cluster-allow-replica-migration",
            "cluster-config-file",
            "cluster-enabled",
            "cluster-port",
            "cluster-preferred-endpoint-type",
            "replicaof",
            "slaveof",
            // Who may do what.
            "aclfile",
            "user",
            "requirepass",
            "primaryauth",
            "primaryuser",
            "masterauth",
            "masteruser",
            "rename-command",
            // Would bring any of the above in by another way.
            "include"));

    /** Beginnings of names, in lower case. */
    public static final List<String> PREFIXES = List.of("tls-", "cluster-announce-");

    private OwnedDirectives() {}

    /** Whether the operator keeps the directive {@code name} for itself; the server reads names in any case. */
    public static boolean owns(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return NAMES.contains(lower) || PREFIXES.stream().anyMatch(lower::startsWith);
    }
}
