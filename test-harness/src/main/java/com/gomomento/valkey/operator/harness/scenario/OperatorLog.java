package com.gomomento.valkey.operator.harness.scenario;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that every operator's pod prints, read from the nodes' log files by a thread of its own, so that a pod that is
 * killed and deleted takes no line with it.
 */
public final class OperatorLog implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final String POD_FOLDER_PREFIX = "valkey-operator_";

    private final LocalCluster cluster;
    private final List<Line> lines = new ArrayList<>();
    private final Map<Path, Tail> tails = new HashMap<>();
    private final Thread thread;

    private OperatorLog(LocalCluster cluster) {
        this.cluster = cluster;
        this.thread = Thread.ofPlatform().daemon().name("operator-log").unstarted(this::follow);
    }

    /** Begins to read. */
    static OperatorLog follow(LocalCluster cluster) {
        OperatorLog log = new OperatorLog(cluster);
        log.thread.start();
        return log;
    }

    /**
     * A line.
     *
     * @param pod name of the operator's pod
     * @param writtenAt when the container's runtime got it, RFC 3339
     * @param stream {@code stdout} or {@code stderr}
     * @param text as the operator printed it
     */
    public record Line(String pod, String writtenAt, String stream, String text) {

        /** Whether it was printed in the reconcile of a cluster in this namespace. */
        public boolean concerns(String namespace) {
            return text.contains("." + namespace + "\"");
        }

        /** Whether its message is this one. */
        public boolean says(String message) {
            return text.contains("\"message\":\"" + message + "\"");
        }
    }

    /** All lines so far. */
    public List<Line> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** How many lines there are; {@link #since} takes it. */
    public int position() {
        synchronized (lines) {
            return lines.size();
        }
    }

    /** The lines after the first {@code position} ones. */
    public List<Line> since(int position) {
        synchronized (lines) {
            return List.copyOf(lines.subList(position, lines.size()));
        }
    }

    /** The lines about one namespace's clusters. */
    public List<Line> of(String namespace) {
        return lines().stream().filter(line -> line.concerns(namespace)).toList();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void follow() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                for (String node : cluster.nodes()) {
                    discover(cluster.stateFolder().resolve(node).resolve("pods"));
                }
                for (Tail tail : tails.values()) {
                    tail.read();
                }
                Thread.sleep(PAUSE);
            } catch (IOException e) {
                // A pod's folder went while it was looked into; the next look sees it gone.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void discover(Path pods) throws IOException {
        if (!Files.isDirectory(pods)) {
            return;
        }
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(pods, POD_FOLDER_PREFIX + "*")) {
            for (Path folder : folders) {
                try (var files = Files.walk(folder, 2)) {
                    for (Path file : files.filter(path -> path.toString().endsWith(".log"))
                            .toList()) {
                        if (!tails.containsKey(file)) {
                            tails.put(file, new Tail(podOf(folder), file));
                        }
                    }
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }
        }
    }

    private static String podOf(Path folder) {
        return folder.getFileName().toString().split("_", 3)[1];
    }

    /** The end of one file, which stays readable after the file was deleted. */
    private final class Tail {
        private static final int HEADER_WORDS = 4;

        private final String pod;
        private final RandomAccessFile file;
        private final StringBuilder partialLine = new StringBuilder();
        private byte[] rest = new byte[0];

        Tail(String pod, Path path) throws IOException {
            this.pod = pod;
            this.file = new RandomAccessFile(path.toFile(), "r");
        }

        void read() throws IOException {
            long fresh = file.length() - file.getFilePointer();
            if (fresh <= 0) {
                return;
            }
            byte[] bytes = new byte[rest.length + (int) fresh];
            System.arraycopy(rest, 0, bytes, 0, rest.length);
            file.readFully(bytes, rest.length, (int) fresh);
            int begin = 0;
            for (int i = rest.length; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    take(new String(bytes, begin, i - begin, StandardCharsets.UTF_8));
                    begin = i + 1;
                }
            }
            rest = Arrays.copyOfRange(bytes, begin, bytes.length);
        }

        /** The runtime writes {@code time stream F text}, and P in place of F where it has cut a long line. */
        private void take(String raw) {
            String[] words = raw.split(" ", HEADER_WORDS);
            if (words.length < HEADER_WORDS) {
                return;
            }
            partialLine.append(words[3]);
            if (!words[2].equals("P")) {
                synchronized (lines) {
                    lines.add(new Line(pod, words[0], words[1], partialLine.toString()));
                }
                partialLine.setLength(0);
            }
        }
    }
}
