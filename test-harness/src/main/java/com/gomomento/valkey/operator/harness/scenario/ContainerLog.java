package com.gomomento.valkey.operator.harness.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What pods print, from the files that their nodes keep, with the two streams told apart. */
public final class ContainerLog {

    /** The runtime writes {@code time stream F text}, and P in place of F where it has cut a long line. */
    private static final int WORDS = 4;

    private ContainerLog() {}

    /** All lines of one pod so far, those of its earlier containers too; empty when the node keeps none. */
    public static List<OperatorLog.Line> of(LocalCluster cluster, String namespace, String pod) {
        List<OperatorLog.Line> lines = new ArrayList<>();
        for (Path file : files(cluster, namespace + "_" + pod + "_")) {
            StringBuilder text = new StringBuilder();
            for (String raw : read(file).lines().toList()) {
                String[] words = raw.split(" ", WORDS);
                if (words.length == WORDS) {
                    text.append(words[3]);
                    if (!words[2].equals("P")) {
                        lines.add(new OperatorLog.Line(pod, words[0], words[1], text.toString()));
                        text.setLength(0);
                    }
                }
            }
        }
        return lines;
    }

    /** The files of all pods whose {@code NAMESPACE_NAME_UID} begins so, oldest container first. */
    static List<Path> files(LocalCluster cluster, String prefix) {
        List<Path> files = new ArrayList<>();
        for (String node : cluster.nodes()) {
            Path pods = cluster.stateFolder().resolve(node).resolve("pods");
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(pods, prefix + "*")) {
                for (Path folder : folders) {
                    try (Stream<Path> found = Files.walk(folder, 2)) {
                        found.filter(path -> path.toString().endsWith(".log"))
                                .sorted()
                                .forEach(files::add);
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                // A pod's folder went while it was looked into.
            }
        }
        return files;
    }

    /** A file's text; empty when it went meanwhile. */
    static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
