package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

/** Every directive of the reference data, taken from tracing-subscriber itself, gives the same result here. */
class RustLogReferenceTest {

    private static final List<String> TARGETS = List.of(
            "operator",
            "operator::controller",
            "operator::controller::acl",
            "operator::controller::tls",
            "operator::controller_extra",
            "kube_client::client",
            "hyper");

    private static final Map<String, SpanContext> SPANS = Map.of(
            "none", SpanContext.NONE,
            "span-a", inside(reconcile("a.ns1", "object updated")),
            "span-b", inside(reconcile("b.ns1", "reconciler requested retry")),
            "probe",
                    inside(Span.of(Level.DEBUG, "operator::controller", "probe")
                            .with("attempt", 3)
                            .with("dry", true)
                            .with("cluster", "a")));

    record Case(String directive, String parse, JsonNode enabledUpTo) {
        @Override
        public String toString() {
            return "RUST_LOG='" + directive + "'";
        }
    }

    static Stream<Case> cases() throws IOException {
        ObjectMapper json = new ObjectMapper();
        try (InputStream in = RustLogReferenceTest.class.getResourceAsStream("/reference/rust-log-reference.jsonl")) {
            List<Case> cases = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                JsonNode node = json.readTree(line);
                cases.add(new Case(
                        node.get("directive").asText(), node.get("parse").asText(), node.get("enabled_up_to")));
            }
            return cases.stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void letsThroughWhatTheReferenceLetsThrough(Case expected) {
        List<String> ignored = new ArrayList<>();
        RustLogFilter filter = RustLogFilter.parse(expected.directive(), ignored::add);

        for (Map.Entry<String, SpanContext> spans : SPANS.entrySet()) {
            Map<String, String> passed = new LinkedHashMap<>();
            for (String target : TARGETS) {
                mostVerbose(filter, target, spans.getValue()).ifPresent(level -> passed.put(target, level.name()));
            }
            Map<String, String> reference = new LinkedHashMap<>();
            expected.enabledUpTo()
                    .get(spans.getKey())
                    .properties()
                    .forEach(entry ->
                            reference.put(entry.getKey(), entry.getValue().asText()));
            assertThat(passed).as("events in %s", spans.getKey()).isEqualTo(reference);
        }
        if (expected.parse().equals("ok")) {
            assertThat(ignored).isEmpty();
        } else {
            // The reference's strict parse stops at the first part that it refuses.
            assertThat(ignored.getFirst()).startsWith("ignoring `").endsWith("`: " + expected.parse());
        }
    }

    private static java.util.Optional<Level> mostVerbose(RustLogFilter filter, String target, SpanContext spans) {
        return Stream.of(Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR)
                .filter(level -> filter.enabled(target, level, "message"::equals, spans))
                .findFirst();
    }

    private static Span reconcile(String ref, String reason) {
        return Span.of(Level.INFO, "operator::controller", "reconciling object")
                .with("object.ref", "ValkeyCluster.v1alpha1.valkey.gomomento.com/" + ref)
                .with("object.reason", reason);
    }

    private static SpanContext inside(Span span) {
        return SpanContext.NONE.child(span);
    }
}
