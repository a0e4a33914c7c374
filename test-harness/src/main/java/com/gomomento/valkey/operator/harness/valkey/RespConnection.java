package com.gomomento.valkey.operator.harness.valkey;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client of one server that shares nothing with the adapter under test: RESP 2 over a plain socket, one thread. */
public final class RespConnection implements AutoCloseable {

    private static final int LIMIT_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream replies;

    /** Connects to a server. */
    RespConnection(String ip, int port) {
        try {
            socket = new Socket();
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.connect(new InetSocketAddress(ip, port), LIMIT_MILLIS);
            replies = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException("connecting to " + ip + ":" + port, e);
        }
    }

    /**
     * Runs a command.
     *
     * @return what came back as text: values as they are, errors with their minus ({@code -ERR ...}), arrays as their
     *     elements in lines, nothing as an empty text
     */
    public String call(String... command) {
        StringBuilder text = new StringBuilder("*").append(command.length).append("\r\n");
        for (String word : command) {
            text.append('$').append(word.getBytes(StandardCharsets.UTF_8).length);
            text.append("\r\n").append(word).append("\r\n");
        }
        try {
            socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
            return reply();
        } catch (IOException e) {
            throw new UncheckedIOException(command[0], e);
        }
    }

    private String reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '-' -> line;
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IOException("no reply begins like '" + line + "'");
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = replies.readNBytes(length);
        line();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String array(int length) throws IOException {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            elements.add(reply());
        }
        return String.join("\n", elements);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = replies.read(); next != '\n'; next = replies.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing", e);
        }
    }
}
