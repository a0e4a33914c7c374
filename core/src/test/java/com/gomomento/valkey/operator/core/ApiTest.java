package com.gomomento.valkey.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Core is a library: what others compile against changes only on purpose, and shows in a review. */
class ApiTest {

    private static final Path CLASSES = Path.of("target/classes");
    private static final Path FILE = Path.of("src/test/resources/api/core.api");
    private static final String COMMAND =
            "./dev maven -q -pl core test -Dtest=ApiTest -Dtest.jvm.args=-Dtranscripts.write=true";

    @Test
    void thePublicApiIsTheOneThatIsWrittenDown() throws IOException {
        List<String> now = Signatures.of(CLASSES);
        if (Boolean.getBoolean("transcripts.write")) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, String.join("\n", now) + "\n", StandardCharsets.UTF_8);
        }
        List<String> written = Files.readAllLines(FILE, StandardCharsets.UTF_8);
        List<String> removed = new ArrayList<>(written);
        removed.removeAll(now);
        List<String> added = new ArrayList<>(now);
        added.removeAll(written);
        List<String> differences = new ArrayList<>(removed);
        differences.addAll(added);
        assertThat(differences)
                .as("""
                        The public API of core differs from %s.
                        Removed or changed:%s
                        Added:%s
                        If that is meant, write the file anew and commit it:
                          %s
                        What is removed or changed breaks those who embed core: say in CHANGELOG.md what they do instead.""", FILE, lines(removed), lines(added), COMMAND)
                .isEmpty();
    }

    private static String lines(List<String> lines) {
        return lines.isEmpty() ? " nothing" : "\n  " + String.join("\n  ", lines);
    }
}
