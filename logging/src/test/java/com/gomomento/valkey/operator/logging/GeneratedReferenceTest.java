package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

/**
 * Random directives, patterns and numbers, with what tracing-subscriber and serde_json make of them. The data is written
 * by the program in {@code src/test/reference-generator}.
 */
class GeneratedReferenceTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> TARGETS =
            List.of("operator", "operator::controller", "operator::controller::acl", "hyper", "\u00e9::x");
    private static final List<Level> LEVELS = List.of(Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR);
    private static final List<Set<String>> EVENT_FIELDS =
            List.of(Set.of("message"), Set.of("message", "cluster_name", "shards"), Set.of("no_message"));

    /** One line of the data. */
    record Case(String title, JsonNode data) {
        @Override
        public String toString() {
            return title;
        }
    }

    static Stream<Case> directives() throws IOException {
        return cases("rust-log-generated.jsonl", "directive");
    }

    static Stream<Case> patterns() throws IOException {
        return cases("patterns-generated.jsonl", "pattern");
    }

    @ParameterizedTest(name = "''{0}''")
    @MethodSource("directives")
    void filtersAsTheReferenceDoes(Case expected) {
        JsonNode data = expected.data();
        List<String> ignored = new ArrayList<>();
        RustLogFilter filter = RustLogFilter.parse(data.get("directive").asText(), ignored::add);

        Map<String, String> passed = new TreeMap<>();
        Map<String, String> shown = new TreeMap<>();
        scopes(data).forEach((scope, spans) -> {
            String answers = passed(filter, spans);
            passed.put(scope, answers);
            if (answers.contains("x")) {
                shown.put(scope, shown(spans.view(filter)));
            }
        });

        assertThat(passed)
                .isEqualTo(JSON.convertValue(data.get("passed"), new TypeReference<TreeMap<String, String>>() {}));
        assertThat(shown)
                .isEqualTo(JSON.convertValue(data.get("spans"), new TypeReference<TreeMap<String, String>>() {}));
        assertThat(withoutPatternDetails(ignored))
                .isEqualTo(withoutPatternDetails(
                        JSON.convertValue(data.get("ignored"), new TypeReference<List<String>>() {})));
    }

    @ParameterizedTest(name = "''{0}''")
    @MethodSource("patterns")
    void matchesAsTheReferenceDoes(Case expected) {
        String outcome;
        try {
            outcome = RustPattern.matches(
                            RustPattern.compile(expected.data().get("pattern").asText()),
                            expected.data().get("text").asText())
                    ? "match"
                    : "no match";
        } catch (PatternSyntaxException e) {
            outcome = "refused";
        }
        assertThat(outcome).isEqualTo(expected.data().get("outcome").asText());
    }

    static Stream<String> floats() throws IOException {
        return lines("floats.txt").stream();
    }

    @ParameterizedTest(name = "''{0}''")
    @MethodSource("floats")
    void printsNumbersAsTheReferenceDoes(String line) {
        String[] parts = line.split(" ", 2);
        Utf8Buffer out = new Utf8Buffer(8);
        JsonText.number(out, Double.longBitsToDouble(Long.parseUnsignedLong(parts[0], 16)));
        assertThat(out).hasToString(parts[1]);
    }

    private static Map<String, SpanContext> scopes(JsonNode data) {
        Span a = Span.of(Level.INFO, "operator::controller", "reconciling object")
                .with("object.ref", "ValkeyCluster/a.ns1")
                .with("object.reason", "object updated");
        Span p = Span.of(Level.DEBUG, "operator::controller", "probe")
                .with("attempt", 3)
                .with("dry", true)
                .with("cluster", "a");
        Span v = Span.of(Level.TRACE, "hyper::conn", "values")
                .with("s", data.get("s").asText())
                .with("n", data.get("n").asLong())
                .with("f", number(data.get("f").asText()));
        Span e = Span.of(Level.ERROR, "operator::x", "inner");
        SpanContext none = SpanContext.NONE;
        return Map.of(
                "none", none,
                "a", none.child(a),
                "a>p", none.child(a).child(p),
                "p", none.child(p),
                "p>a", none.child(p).child(a),
                "v", none.child(v),
                "v>e", none.child(v).child(e));
    }

    private static double number(String text) {
        return text.equals("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }

    private static String passed(RustLogFilter filter, SpanContext spans) {
        StringBuilder answers = new StringBuilder();
        for (String target : TARGETS) {
            for (Level level : LEVELS) {
                for (Set<String> fields : EVENT_FIELDS) {
                    answers.append(filter.enabled(target, level, fields::contains, spans) ? 'x' : '.');
                }
            }
        }
        return answers.toString();
    }

    private static String shown(SpanContext.View view) {
        try {
            JsonNode line = JSON.readTree("{\"first\":0" + new String(view.json(), StandardCharsets.UTF_8) + "}");
            List<String> names = new ArrayList<>();
            line.path("spans").forEach(span -> names.add(span.get("name").asText()));
            return String.join(">", names);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The reference says no more than which stage refused a pattern; the reason is told here. */
    private static List<String> withoutPatternDetails(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("(?s)`: invalid field filter: .*", "`: invalid field filter"))
                .toList();
    }

    private static Stream<Case> cases(String file, String title) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String line : lines(file)) {
            JsonNode data = JSON.readTree(line);
            cases.add(new Case(data.get(title).asText(), data));
        }
        return cases.stream();
    }

    private static List<String> lines(String file) throws IOException {
        try (InputStream in = GeneratedReferenceTest.class.getResourceAsStream("/reference/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
