package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Knocks at a server with a plain socket: connect, log in, {@code PING}. GLIDE gives one and the same error for a refused
 * connection, a frozen server and a wrong password; here they are told apart. A client is opened only after a good answer,
 * so that dead addresses cost a socket for a moment and nothing else.
 */
final class SocketProbe {

    /** A reply line longer than this is no reply of ours. */
    private static final int LONGEST_LINE = 1024;

    private SocketProbe() {}

    /**
     * Knocks once.
     *
     * @param limit for all of it
     * @return why the server can't be talked to; empty when it can
     */
    static Optional<Unreachable> knock(Target target, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(target.ip(), target.port()), Math.toIntExact(Math.max(1, limit.toMillis())));
            socket.getOutputStream().write(greeting(target));
            String login = line(socket, end);
            if (!login.startsWith("+")) {
                return Optional.of(refusedLogin(words(login, target)));
            }
            String pong = line(socket, end);
            return pong.startsWith("-LOADING")
                    ? Optional.of(new Unreachable(Reason.LOADING, words(pong, target)))
                    : Optional.empty();
        } catch (SocketTimeoutException e) {
            return Optional.of(new Unreachable(Reason.TIMEOUT, "no answer within " + limit.toMillis() + " ms"));
        } catch (ConnectException e) {
            // Also thrown for an unreachable host, which is not the same as a port that refuses.
            String message = String.valueOf(e.getMessage());
            return Optional.of(new Unreachable(
                    message.contains("refused") ? Reason.REFUSED : Reason.OTHER, "connecting: " + message));
        } catch (IOException e) {
            return Optional.of(new Unreachable(Reason.OTHER, "connecting: " + e.getMessage()));
        }
    }

    private static Unreachable refusedLogin(String words) {
        if (words.startsWith("LOADING")) {
            return new Unreachable(Reason.LOADING, words);
        }
        boolean login = words.startsWith("WRONGPASS") || words.startsWith("NOAUTH") || words.startsWith("ERR AUTH");
        return new Unreachable(login ? Reason.AUTHENTICATION : Reason.OTHER, words);
    }

    private static byte[] greeting(Target target) {
        return (command("AUTH", InternalUsers.OPERATOR, target.password().reveal()) + command("PING"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String command(String... words) {
        StringBuilder text = new StringBuilder("*").append(words.length).append("\r\n");
        for (String word : words) {
            text.append('$').append(word.getBytes(StandardCharsets.UTF_8).length);
            text.append("\r\n").append(word).append("\r\n");
        }
        return text.toString();
    }

    /** One line of the answer, byte by byte, since a server that dribbles must not stretch the limit. */
    private static String line(Socket socket, long end) throws IOException {
        InputStream answers = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        while (true) {
            long rest = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (rest <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout(Math.toIntExact(rest));
            int next = answers.read();
            if (next == '\n') {
                return line.toString().stripTrailing();
            }
            if (next < 0) {
                throw new IOException("the connection was closed instead of an answer");
            }
            if (line.length() == LONGEST_LINE) {
                throw new IOException("what answers is no valkey-server");
            }
            line.append((char) next);
        }
    }

    private static String words(String line, Target target) {
        String words = line.startsWith("-") ? line.substring(1) : "what answers is no valkey-server: " + line;
        return ServerWords.redact(words.replaceAll("\\p{Cntrl}", "?"), target.password());
    }
}
