package com.gomomento.valkey.operator.harness.valkey;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes everything on to a server and back, until a word was passed on to it: from then on no answer comes back. */
final class StallingProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final ValkeyServer server;
    private final String word;
    private final AtomicBoolean stalled = new AtomicBoolean();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    StallingProxy(ValkeyServer server, String ip, String word) throws IOException {
        this.listening = new ServerSocket(ValkeyServer.PORT, 50, InetAddress.getByName(ip));
        this.server = server;
        this.word = word;
        Thread.startVirtualThread(this::accept);
    }

    String ip() {
        return listening.getInetAddress().getHostAddress();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket onward = new Socket(server.ip(), ValkeyServer.PORT);
                sockets.addAll(List.of(client, onward));
                Thread.startVirtualThread(() -> pass(client, onward, true));
                Thread.startVirtualThread(() -> pass(onward, client, false));
            }
        } catch (IOException e) {
            // It was closed.
            return;
        }
    }

    private void pass(Socket from, Socket to, boolean question) {
        byte[] buffer = new byte[65536];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (question && new String(buffer, 0, length, StandardCharsets.UTF_8).contains(word)) {
                    stalled.set(true);
                }
                if (question || !stalled.get()) {
                    out.write(buffer, 0, length);
                }
            }
        } catch (IOException e) {
            // One side has gone; the other is closed with the proxy.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
