package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class ThrowableTextTest {

    private final Logger log = LoggerFactory.getLogger("operator.x");
    private LogCapture capture = LogCapture.install("info");

    @BeforeEach
    void start() {
        capture = LogCapture.install("info");
    }

    @Test
    void goesIntoTwoFieldsOfOneLine() {
        log.warn("reconcile error, requeuing", new IllegalStateException("line 1\nline 2 \u0000"));

        JsonNode fields = capture.line().get("fields");
        assertThat(JsonLineEncoderTest.names(fields)).containsExactly("message", "error", "stacktrace");
        assertThat(fields.get("error").asText()).isEqualTo("java.lang.IllegalStateException: line 1\nline 2 \u0000");
        assertThat(fields.get("stacktrace").asText())
                .startsWith("java.lang.IllegalStateException: line 1\nline 2 \u0000\n\tat "
                        + getClass().getName() + ".goesIntoTwoFieldsOfOneLine(ThrowableTextTest.java:");
    }

    @Test
    void tellsCausesAndSuppressedOnes() {
        Exception cause = new IllegalArgumentException("inner");
        Exception outer = new IllegalStateException("outer", cause);
        outer.addSuppressed(new UnsupportedOperationException());

        log.atError().setCause(outer).log("m");

        assertThat(capture.line().at("/fields/stacktrace").asText())
                .contains("\n\tSuppressed: java.lang.UnsupportedOperationException\n\t\tat ")
                .contains("\nCaused by: java.lang.IllegalArgumentException: inner\n\t")
                .contains(" more frames");
    }

    @Test
    void endsWhereCausesGoInCircles() {
        Exception a = new IllegalStateException("a");
        Exception b = new IllegalStateException("b", a);
        a.initCause(b);

        log.error("m", a);

        assertThat(capture.line().at("/fields/stacktrace").asText())
                .contains("Caused by: [circular reference: java.lang.IllegalStateException]");
    }

    @Test
    void leavesRoomForTheCause() {
        log.error("m", new IllegalStateException(deep(500)));

        assertThat(capture.line().at("/fields/stacktrace").asText())
                .contains(".deep(ThrowableTextTest.java:")
                .contains(" more frames\nCaused by: java.lang.IllegalArgumentException: deep\n\tat ");
    }

    private static Exception deep(int depth) {
        return depth == 0 ? new IllegalArgumentException("deep") : deep(depth - 1);
    }

    @Test
    void isBounded() {
        Throwable chain = new IllegalStateException("\ud83d\ude00".repeat(50_000));
        for (int i = 0; i < 200; i++) {
            chain = new IllegalStateException("cause " + i + "x".repeat(1_000), chain);
        }
        log.error("m", chain);
        log.error("m", new IllegalStateException("a" + "\ud83d\ude00".repeat(50_000)));

        JsonNode deep = capture.lines().get(0).get("fields");
        assertThat(deep.get("stacktrace").asText().length()).isBetween(8_000, 8_192 + 10);
        assertThat(deep.get("stacktrace").asText()).endsWith("... [cut]");
        JsonNode wide = capture.lines().get(1).get("fields");
        assertThat(wide.get("error").asText())
                .hasSizeLessThanOrEqualTo(4_096 + 10)
                .endsWith("\ud83d\ude00... [cut]");
    }

    @Test
    void staysTextWhereItIsAValue() {
        log.atInfo().addKeyValue("reason", new IllegalStateException("a\nb")).log("m");
        log.info("failed with {} and more", new IllegalStateException("c").toString());

        assertThat(capture.lines().get(0).at("/fields/reason").asText())
                .isEqualTo("java.lang.IllegalStateException: a\nb");
        assertThat(capture.lines().get(1).at("/fields/message").asText())
                .isEqualTo("failed with java.lang.IllegalStateException: c and more");
    }
}
