package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

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
     * @param limit for the connection, and again for each of the two answers
     * @return why the server can't be talked to; empty when it can
     */
    static Optional<Unreachable> knock(Target target, Duration limit) {
        int millis = Math.toIntExact(limit.toMillis());
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(target.ip(), target.port()), millis);
            socket.getOutputStream().write(greeting(target));
            InputStream answers = new BufferedInputStream(socket.getInputStream());
            String login = line(answers);
            if (!login.startsWith("+")) {
                return Optional.of(refusedLogin(words(login, target)));
            }
            String pong = line(answers);
            return pong.startsWith("-LOADING")
                    ? Optional.of(new Unreachable(Reason.LOADING, words(pong, target)))
                    : Optional.empty();
        } catch (SocketTimeoutException e) {
            return Optional.of(new Unreachable(Reason.TIMEOUT, "no answer within " + millis + " ms"));
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

    private static String line(InputStream answers) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = answers.read(); next != '\n'; next = answers.read()) {
            if (next < 0) {
                throw new IOException("the connection was closed instead of an answer");
            }
            if (line.length() == LONGEST_LINE) {
                throw new IOException("what answers is no valkey-server");
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    private static String words(String line, Target target) {
        String words = line.startsWith("-") ? line.substring(1) : "what answers is no valkey-server: " + line;
        return ServerWords.redact(words.replaceAll("\\p{Cntrl}", "?"), target.password());
    }
}
