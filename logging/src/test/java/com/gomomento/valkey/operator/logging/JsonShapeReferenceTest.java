package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Lines logged here are, but for the time, the bytes that tracing-subscriber printed for the same events. */
class JsonShapeReferenceTest {

    private static final String TIMESTAMP = "\"timestamp\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z\"";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void printsTheSameLines() throws IOException {
        LogSetup.install("trace", new PrintStream(out, false, StandardCharsets.UTF_8), System.err);
        Logger acl = LoggerFactory.getLogger("operator.controller.acl");
        Logger controller = LoggerFactory.getLogger("operator.controller");
        Logger x = LoggerFactory.getLogger("operator.x");
        Logger operator = LoggerFactory.getLogger("operator");
        Span reconcile = Span.of(Level.INFO, "operator::controller", "reconciling object")
                .with("object.ref", "ValkeyCluster.v1alpha1.valkey.gomomento.com/my-cluster.my-app")
                .with("object.reason", "object updated");

        acl.atInfo().addKeyValue("cluster_name", "my-cluster").log("ACL reconcile tick");
        Spans.in(reconcile, () -> {
            controller
                    .atInfo()
                    .addKeyValue("cluster_name", "my-cluster")
                    .addKeyValue("shards", 3)
                    .addKeyValue("nodes", 6L)
                    .addKeyValue("ratio", 0.5)
                    .addKeyValue("ok", true)
                    .addKeyValue("neg", -1)
                    .log("active tick");
            Spans.in(
                    Span.of(Level.INFO, "operator::x", "inner").with("pod", "p-1"),
                    () -> x.atWarn()
                            .addKeyValue("error", "line1\nline2 \"q\" \ud83d\ude00 \u007f \u2028")
                            .log("quote \" back \\ tab \t nul \0 \u00e9"));
        });
        operator.atInfo()
                .addKeyValue("message2", "Some(1)")
                .addKeyValue("big", BigInteger.TWO.pow(64).subtract(BigInteger.ONE))
                .addKeyValue("neg", Long.MIN_VALUE)
                .addKeyValue("inf", Double.POSITIVE_INFINITY)
                .addKeyValue("nan", Double.NaN)
                .addKeyValue("f", 1.0)
                .addKeyValue("e", 1e300)
                .addKeyValue("s", 1e-7)
                .log("floats");
        operator.atInfo().addKeyValue("no_message", true).log();

        assertThat(withoutTime(out.toString(StandardCharsets.UTF_8))).isEqualTo(withoutTime(reference()));
    }

    private static String reference() throws IOException {
        try (InputStream in =
                JsonShapeReferenceTest.class.getResourceAsStream("/reference/json-shape-reference.jsonl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String> withoutTime(String lines) {
        return List.of(lines.replaceAll(TIMESTAMP, "\"timestamp\":\"T\"").split("\n", -1));
    }
}
