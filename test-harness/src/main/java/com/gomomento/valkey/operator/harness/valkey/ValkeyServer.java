package com.gomomento.valkey.operator.harness.valkey;

import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One server process with a folder and a loopback address of its own. */
public final class ValkeyServer {

    /** Port of the client protocol; the cluster bus is at the same plus 10000. */
    public static final int PORT = 6379;

    private static final Duration START_LIMIT = Duration.ofSeconds(20);

    private final NodeName name;
    private final String ip;
    private final Path folder;
    private final List<String> program;
    private final Credentials credentials;
    private Process process;

    ValkeyServer(NodeName name, String ip, Path folder, List<String> program, Credentials credentials) {
        this.name = name;
        this.ip = ip;
        this.folder = folder;
        this.program = program;
        this.credentials = credentials;
        this.process = launch();
    }

    /** Its name as a member. */
    public NodeName name() {
        return name;
    }

    /** Its own address. */
    public String ip() {
        return ip;
    }

    /** Where the port under test finds it, and how it logs in. */
    public Target target() {
        return new Target(name, ip, PORT, credentials.operator());
    }

    /** Its folder: {@code valkey.conf}, {@code users.acl}, {@code nodes.conf}, {@code server.log} and its data. */
    public Path folder() {
        return folder;
    }

    /** A connection as nobody. */
    public RespConnection connect() {
        return new RespConnection(ip, PORT);
    }

    /** A connection as {@code user}. */
    public RespConnection connect(String user, String password) {
        RespConnection connection = connect();
        String login = connection.call("AUTH", user, password);
        if (!login.equals("OK")) {
            connection.close();
            throw new IllegalStateException("AUTH " + user + " at " + name + ": " + login);
        }
        return connection;
    }

    /** Runs one command as the tests' own user, who may do everything. */
    public String call(String... command) {
        try (RespConnection connection = connect(ValkeyServers.TESTER, ValkeyServers.TESTER_PASSWORD)) {
            return connection.call(command);
        }
    }

    /** A connection as the operator's user. */
    public RespConnection connectAsOperator() {
        return connect(InternalUsers.OPERATOR, credentials.operator().reveal());
    }

    /** Stops it in the middle of whatever it does; its sockets stay open and say nothing. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        signal("CONT");
    }

    /** Ends it at once, as the kernel would. */
    public void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while ending " + name, e);
        }
    }

    /** Starts it again in its folder, after {@link #kill}. */
    public void start() {
        process = launch();
    }

    /** Adds a line to {@code valkey.conf}, for the next start. */
    public void configure(String line) {
        try {
            Files.writeString(folder.resolve("valkey.conf"), line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() {
        List<String> command = new ArrayList<>(program);
        command.add(folder.resolve("valkey.conf").toString());
        try {
            Process started = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("server.log").toFile()))
                    .start();
            Eventually.holds(name + " listening, see " + folder, START_LIMIT, () -> listens(started));
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("starting " + name, e);
        }
    }

    private boolean listens(Process started) {
        if (!started.isAlive()) {
            throw new IllegalStateException(name + " ended with " + started.exitValue() + ": " + log());
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(ip, PORT), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** What it has logged. */
    public String log() {
        try {
            return Files.readString(folder.resolve("server.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + signal + " of " + name + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while signalling " + name, e);
        }
    }

    @Override
    public String toString() {
        return name + " at " + ip;
    }
}
