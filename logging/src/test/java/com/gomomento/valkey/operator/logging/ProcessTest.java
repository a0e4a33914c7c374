package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process of its own, looked at from outside: which bytes come out where, and that it ends. */
class ProcessTest {

    @TempDir
    private Path folder = Path.of(".");

    /** What a process left behind. */
    private record Outcome(int exitCode, String out, String err) {
        List<JsonNode> lines() {
            return LogCapture.parse(out.getBytes(StandardCharsets.UTF_8));
        }

        List<String> messages() {
            return lines().stream()
                    .map(line -> line.at("/fields/message").asText())
                    .toList();
        }
    }

    @Test
    void unsetMeansNotAByte() throws Exception {
        Outcome outcome = run("everything", Optional.empty());
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void emptyMeansNotAByte() throws Exception {
        Outcome outcome = run("everything", Optional.of(""));
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void nothingIsLoggedBeforeInstallation() throws Exception {
        Outcome outcome = run("uninstalled", Optional.of("trace"));
        assertThat(outcome.out()).isEmpty();
        // java.util.logging is in nobody's hands then, and has a console handler of its own.
        assertThat(outcome.err()).doesNotContain("operator.controller.acl", "io.fabric8", "logback");
    }

    @Test
    void everyKindOfLoggerComesOutAsJson() throws Exception {
        Outcome outcome = run("everything", Optional.of("info,operator=debug"));
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.messages())
                .containsExactly(
                        "ACL reconcile tick",
                        "debug of ours",
                        "warning of a library",
                        "java.util.logging",
                        "platform logger",
                        "uncaught exception");
        JsonNode first = outcome.lines().getFirst();
        assertThat(JsonLineEncoderTest.names(first))
                .containsExactly("timestamp", "level", "fields", "target", "span", "spans");
        assertThat(first.at("/fields/cluster_name").asText()).isEqualTo("caf\u00e9");
        JsonNode last = outcome.lines().getLast();
        assertThat(JsonLineEncoderTest.names(last)).containsExactly("timestamp", "level", "fields", "target");
        assertThat(last.get("level").asText()).isEqualTo("ERROR");
        assertThat(last.at("/fields/thread").asText()).isEqualTo("doomed");
        assertThat(last.at("/fields/error").asText())
                .isEqualTo("java.lang.IllegalStateException: first line\nsecond line");
    }

    @Test
    void refusedPartsAreToldInPlainTextAndTheRestHolds() throws Exception {
        Outcome outcome = run("everything", Optional.of("operator=loud,!!!,jul=info"));
        assertThat(outcome.err())
                .isEqualTo("ignoring `operator=loud`: error parsing level filter: expected one of \"off\", \"error\","
                        + " \"warn\", \"info\", \"debug\", \"trace\", or a number 0-5\n"
                        + "ignoring `!!!`: invalid filter directive\n");
        assertThat(outcome.messages()).containsExactly("java.util.logging");
    }

    @Test
    void aReaderThatLeavesStopsNothing() throws Exception {
        Process process = start("flood", Optional.of("info"), false);
        process.getInputStream().close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(folder.resolve("err"))).isEqualTo("flood is over\n");
    }

    @Test
    void aFloodComesThroughWhole() throws Exception {
        Outcome outcome = run("flood", Optional.of("info"));
        assertThat(outcome.lines()).hasSize(20_000);
        assertThat(outcome.lines().getLast().at("/fields/i").asInt()).isEqualTo(19_999);
    }

    private Outcome run(String what, Optional<String> rustLog) throws IOException, InterruptedException {
        Process process = start(what, rustLog, true);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Outcome(
                process.exitValue(), Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
    }

    private Process start(String what, Optional<String> rustLog, boolean outToFile) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LogProbe.class.getName(),
                what);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("RUST_LOG");
        rustLog.ifPresent(value -> builder.environment().put("RUST_LOG", value));
        builder.redirectError(folder.resolve("err").toFile());
        if (outToFile) {
            builder.redirectOutput(folder.resolve("out").toFile());
        }
        return builder.start();
    }
}
