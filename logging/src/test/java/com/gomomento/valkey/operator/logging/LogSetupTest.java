package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogSetupTest {

    private final Logger acl = LoggerFactory.getLogger("operator.controller.acl");
    private final Logger library = LoggerFactory.getLogger("io.fabric8.kubernetes.client");

    @ParameterizedTest(name = "RUST_LOG=''{0}''")
    @ValueSource(strings = {"", ",", "off", "operator=off", "0"})
    void isSilentWhereNothingIsAskedFor(String rustLog) {
        LogCapture capture = LogCapture.install(rustLog);
        acl.error("nothing", new IllegalStateException());
        java.util.logging.Logger.getLogger("x").severe("nothing");
        assertThat(acl.isErrorEnabled()).isFalse();
        assertThat(capture.lines()).isEmpty();
        assertThat(capture.err()).isEmpty();
    }

    @Test
    void appliesDirectivesToEveryLogger() {
        LogCapture capture = LogCapture.install("warn,operator=debug,io::fabric8=off");
        acl.debug("debug of ours");
        acl.trace("trace of ours");
        library.error("error of a library that is off");
        LoggerFactory.getLogger("org.other").info("info of another library");
        LoggerFactory.getLogger("org.other").warn("warning of another library");

        assertThat(capture.messages()).containsExactly("debug of ours", "warning of another library");
        assertThat(acl.isDebugEnabled()).isTrue();
        assertThat(acl.isTraceEnabled()).isFalse();
        assertThat(library.isErrorEnabled()).isFalse();
    }

    @Test
    void tellsWhatItIgnores() {
        LogCapture capture = LogCapture.install("info,operator=verbose,\u00e9!=x");
        acl.info("m");
        assertThat(capture.err())
                .isEqualTo(
                        "ignoring `operator=verbose`: error parsing level filter: expected one of \"off\", \"error\","
                                + " \"warn\", \"info\", \"debug\", \"trace\", or a number 0-5\n"
                                + "ignoring `\u00e9!=x`: error parsing level filter: expected one of \"off\", \"error\","
                                + " \"warn\", \"info\", \"debug\", \"trace\", or a number 0-5\n");
        assertThat(capture.messages()).containsExactly("m");
    }

    @Test
    void selectsEventsByTheFieldsTheyHave() {
        LogCapture capture = LogCapture.install("warn,[{cluster_name}]=debug,[{error}]=info");
        acl.atDebug().addKeyValue("cluster_name", "a").log("with the field");
        acl.atInfo().addKeyValue("other", "a").log("without");
        acl.info("with a throwable", new IllegalStateException());
        acl.info("with a throwable {}", 1, new IllegalStateException());
        acl.atInfo().setCause(new IllegalStateException()).log("with a throwable");
        acl.warn("severe enough");

        assertThat(capture.messages())
                .containsExactly(
                        "with the field",
                        "with a throwable",
                        "with a throwable 1",
                        "with a throwable",
                        "severe enough");
    }

    @Test
    void lowersTheLevelOfEventsByTheFieldsTheyHave() {
        LogCapture capture = LogCapture.install("warn,[{message}]=error");
        acl.warn("a field directive is more specific than none");
        acl.atWarn().log("however it is logged");
        acl.atWarn().addKeyValue("without", "message").log();
        assertThat(capture.line().at("/fields")).hasToString("{\"without\":\"message\"}");
    }

    @Test
    void replacesAnEarlierInstallation() {
        LogCapture first = LogCapture.install("info");
        LogCapture second = LogCapture.install("debug");
        acl.debug("m");
        assertThat(first.lines()).isEmpty();
        assertThat(second.messages()).containsExactly("m");
    }

    @Test
    void bridgesJavaUtilLogging() {
        LogCapture capture = LogCapture.install("trace,b=warn");
        java.util.logging.Logger a = java.util.logging.Logger.getLogger("a.x");
        java.util.logging.Logger b = java.util.logging.Logger.getLogger("b.x");
        a.finest("finest");
        a.log(java.util.logging.Level.CONFIG, "with {0}", 7);
        b.info("too verbose");
        b.log(java.util.logging.Level.SEVERE, "severe", new IllegalStateException("x"));
        System.getLogger("c.x").log(System.Logger.Level.WARNING, "platform");

        Map<String, String> levels = new TreeMap<>();
        capture.lines()
                .forEach(line -> levels.put(
                        line.at("/fields/message").asText(),
                        line.get("level").asText() + " " + line.get("target").asText()));
        assertThat(levels)
                .isEqualTo(Map.of(
                        "finest", "TRACE a::x",
                        "with 7", "INFO a::x",
                        "severe", "ERROR b::x",
                        "platform", "WARN c::x"));
    }

    @Test
    void logsWhatEndsAThread() throws InterruptedException {
        LogCapture capture = LogCapture.install("info");
        Thread thread = Thread.ofVirtual().name("loop a.ns1").unstarted(() -> {
            throw new IllegalStateException("broken");
        });
        thread.setUncaughtExceptionHandler(LogSetup.uncaughtExceptionHandler("operator"));
        thread.start();
        thread.join();

        JsonNode line = capture.line();
        assertThat(line.get("level").asText()).isEqualTo("ERROR");
        assertThat(line.at("/fields/message").asText()).isEqualTo("uncaught exception");
        assertThat(line.at("/fields/thread").asText()).isEqualTo("loop a.ns1");
        assertThat(line.at("/fields/error").asText()).isEqualTo("java.lang.IllegalStateException: broken");
    }

    @Test
    void goesOnWhenTheStreamFails() {
        LogSetup.install(
                "info",
                new PrintStream(new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("closed");
                    }
                }),
                System.err);
        for (int i = 0; i < 3; i++) {
            acl.info("m");
        }
        LogCapture capture = LogCapture.install("info");
        acl.info("still here");
        assertThat(capture.messages()).containsExactly("still here");
    }

    @Test
    void dropsWhatIsLoggedWhileALineIsWritten() {
        LogCapture capture = LogCapture.install("info");
        Object talkative = new Object() {
            @Override
            public String toString() {
                acl.info("within {}", this);
                return "talkative";
            }
        };
        acl.info("value {}", talkative);
        acl.info("after");
        assertThat(capture.messages()).containsExactly("value talkative", "after");
    }

    @Test
    void neverMixesLines() throws InterruptedException {
        LogCapture capture = LogCapture.install("info,x=debug");
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 64; t++) {
            String name = "cluster-" + t;
            Span span = Span.of(org.slf4j.event.Level.INFO, "operator", "s").with("object.ref", name);
            threads.add(Thread.ofVirtual()
                    .start(() -> Spans.in(span, () -> {
                        for (int i = 0; i < 100; i++) {
                            acl.atInfo()
                                    .addKeyValue("cluster_name", name)
                                    .addKeyValue("i", i)
                                    .addKeyValue("padding", "\u00e9".repeat(i * 7))
                                    .log("tick");
                        }
                    })));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        List<JsonNode> lines = capture.lines();
        assertThat(lines).hasSize(6_400);
        Map<String, List<Integer>> order = new TreeMap<>();
        for (JsonNode line : lines) {
            String name = line.at("/fields/cluster_name").asText();
            assertThat(line.at("/span/object.ref").asText()).isEqualTo(name);
            order.computeIfAbsent(name, k -> new ArrayList<>())
                    .add(line.at("/fields/i").asInt());
        }
        assertThat(order)
                .hasSize(64)
                .allSatisfy((name, numbers) -> assertThat(numbers).isSorted().hasSize(100));
    }
}
