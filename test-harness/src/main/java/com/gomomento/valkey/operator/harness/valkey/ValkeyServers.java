package com.gomomento.valkey.operator.harness.valkey;

import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.plan.AccessFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Servers of one test. Each has a loopback address of its own, so that all use the same port, and announces it, since peers
 * would otherwise take one another for 127.0.0.1. The network 127.x.y.0 is drawn by lot, so that tests that run beside each
 * other do not meet. Closing ends the processes and removes their folders; so does the end of the JVM.
 */
public final class ValkeyServers implements AutoCloseable {

    /** A client user who may do everything, besides those that a test asks for. */
    public static final String TESTER = "tester";

    /** The tester's password. */
    public static final String TESTER_PASSWORD = "tester-password";

    /** A short time to failure detection, for tests that wait for it. */
    private static final int NODE_TIMEOUT_MILLIS = 2000;

    private final Path folder;
    private final String network;
    private final Credentials credentials = new Credentials(secret("operator"), secret("replication"));
    private final List<AclUser> users = new ArrayList<>();
    private final List<String> directives = new ArrayList<>();
    private final List<ValkeyServer> started = new ArrayList<>();
    private final Thread atExit = new Thread(this::endAll, "end-valkey-servers");

    /** No server yet, with the tester as the only client user. */
    public ValkeyServers() {
        try {
            folder = Files.createTempDirectory("valkey-servers-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ThreadLocalRandom lot = ThreadLocalRandom.current();
        network = "127." + lot.nextInt(16, 250) + "." + lot.nextInt(0, 256) + ".";
        users.add(new AclUser(TESTER, List.of(SecretText.of(TESTER_PASSWORD).sha256Hex()), List.of("+@all ~* &*")));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    private static SecretText secret(String whose) {
        return SecretText.of(
                whose + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }

    /** Another client user, on servers that are started from now on. */
    public ValkeyServers with(AclUser user) {
        users.add(user);
        return this;
    }

    /** A line of {@code valkey.conf}, on servers that are started from now on. */
    public ValkeyServers with(String directive) {
        directives.add(directive);
        return this;
    }

    /** Servers that are started from now on have no client user, which leaves the default user open. */
    public ValkeyServers withoutUsers() {
        users.clear();
        return this;
    }

    /** Passwords of the internal users on these servers. */
    public Credentials credentials() {
        return credentials;
    }

    /** Starts servers. */
    public List<ValkeyServer> start(Release release, int count) {
        return Stream.generate(() -> start(release)).limit(count).toList();
    }

    /** Starts one server. */
    public ValkeyServer start(Release release) {
        int number = started.size() + 1;
        ValkeyServer server = launch(release, "server-" + number, network + number);
        started.add(server);
        return server;
    }

    /** Starts a server at the address of one that was killed, with a folder of its own: a new node at an old address. */
    public ValkeyServer startInPlaceOf(ValkeyServer killed, Release release) {
        ValkeyServer server = launch(release, "server-" + (started.size() + 1), killed.ip());
        started.add(server);
        return server;
    }

    /** An address of this test's network at which nothing listens. */
    public String freeAddress(int number) {
        return network + (254 - number);
    }

    private ValkeyServer launch(Release release, String name, String ip) {
        try {
            Path own = Files.createDirectory(folder.resolve(name));
            AclFile access = AccessFile.render(users, credentials);
            Files.writeString(own.resolve("users.acl"), access.users());
            Files.writeString(own.resolve("replication.conf"), access.replication());
            Files.write(own.resolve("valkey.conf"), configuration(own, ip));
            return new ValkeyServer(new NodeName(name), ip, own, release.server(), credentials);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> configuration(Path own, String ip) {
        List<String> lines = new ArrayList<>(List.of(
                "bind " + ip,
                "bind-source-addr " + ip,
                "port " + ValkeyServer.PORT,
                "cluster-enabled yes",
                "cluster-config-file nodes.conf",
                "cluster-announce-ip " + ip,
                "cluster-node-timeout " + NODE_TIMEOUT_MILLIS,
                "cluster-allow-replica-migration no",
                "cluster-require-full-coverage no",
                "repl-diskless-sync-delay 0",
                "protected-mode no",
                "save \"\"",
                "dir " + own,
                "aclfile " + own.resolve("users.acl"),
                "include " + own.resolve("replication.conf")));
        lines.addAll(directives);
        return lines;
    }

    private void endAll() {
        started.forEach(ValkeyServer::kill);
    }

    @Override
    public void close() {
        endAll();
        Runtime.getRuntime().removeShutdownHook(atExit);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
