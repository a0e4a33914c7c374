package com.gomomento.valkey.operator.harness.scenario;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection to one valkey-server, speaking RESP2. Small on purpose and no relative of the operator's client: what the
 * operator's client gets wrong must not be wrong here as well. Not shared between threads.
 */
public final class RespConnection implements AutoCloseable {

    private static final int PORT = 6379;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /**
     * Connects to port 6379.
     *
     * @param host name or address
     * @param patience for the connection and then for each answer
     */
    public static RespConnection open(String host, Duration patience) throws IOException {
        return open(host, PORT, patience);
    }

    /** As {@link #open(String, Duration)}, at another port. */
    public static RespConnection open(String host, int port, Duration patience) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            socket.connect(new InetSocketAddress(host, port), (int) patience.toMillis());
            return new RespConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends one command and waits for its answer; an error of the server is a {@link Reply.Failure}, not an exception. */
    public Reply call(String... command) throws IOException {
        return pipeline(List.of(List.of(command))).getFirst();
    }

    /** Sends several commands at once. */
    public List<Reply> pipeline(List<List<String>> commands) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        for (List<String> command : commands) {
            write(request, "*" + command.size() + "\r\n");
            for (String word : command) {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                write(request, "$" + bytes.length + "\r\n");
                request.write(bytes);
                write(request, "\r\n");
            }
        }
        out.write(request.toByteArray());
        out.flush();
        List<Reply> replies = new ArrayList<>(commands.size());
        for (int i = 0; i < commands.size(); i++) {
            replies.add(read());
        }
        return replies;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone, which is what was wanted.
        }
    }

    private static void write(ByteArrayOutputStream request, String text) {
        request.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private Reply read() throws IOException {
        String line = line();
        if (line.isEmpty()) {
            throw new IOException("not RESP2: an empty line");
        }
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> new Reply.Text(rest);
            case '-' -> new Reply.Failure(rest);
            case ':' -> new Reply.Amount(Long.parseLong(rest));
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IOException("not RESP2: " + line);
        };
    }

    private Reply bulk(int length) throws IOException {
        if (length < 0) {
            return new Reply.Nothing();
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the server closed the connection");
        }
        line();
        return new Reply.Text(new String(bytes, StandardCharsets.UTF_8));
    }

    private Reply array(int length) throws IOException {
        if (length < 0) {
            return new Reply.Nothing();
        }
        List<Reply> values = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            values.add(read());
        }
        return new Reply.Items(values);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int c = in.read();
        while (c != '\r') {
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.write(c);
            c = in.read();
        }
        if (in.read() != '\n') {
            throw new IOException("not RESP2: a line without its end");
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
