package com.gomomento.valkey.operator.harness.logs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.gomomento.valkey.operator.harness.scenario.OperatorLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** One line of the operator's standard output, read as a pipeline would read it, and held against the contract. */
public final class LogLine {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Pattern TIMESTAMP = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    private static final Pattern TARGET = Pattern.compile("[^.\\s]+");
    private static final Pattern OBJECT =
            Pattern.compile("ValkeyCluster\\.v1alpha1\\.valkey\\.gomomento\\.com/([^.]+)\\.([^.]+)");
    private static final Set<String> LEVELS = Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE");
    private static final String RECONCILE = "reconciling object";

    private final String text;
    private final JsonNode json;

    private LogLine(String text, JsonNode json) {
        this.text = text;
        this.json = json;
    }

    /** Reads a line; empty when it is no JSON object. */
    public static Optional<LogLine> parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            return json.isObject() ? Optional.of(new LogLine(text, json)) : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** What is wrong with these lines: everything on standard output is one JSON object a line, and errors say nothing. */
    public static List<String> problems(List<OperatorLog.Line> lines, Predicate<String> allowedOnStandardError) {
        List<String> problems = new ArrayList<>();
        for (OperatorLog.Line line : lines) {
            if (line.stream().equals("stderr")) {
                if (!allowedOnStandardError.test(line.text())) {
                    problems.add(line.pod() + " has on standard error: " + line.text());
                }
            } else {
                List<String> found = parse(line.text()).map(LogLine::problems).orElse(List.of("no JSON object"));
                found.forEach(problem -> problems.add(line.pod() + ": " + problem + ": " + line.text()));
            }
        }
        return problems;
    }

    /** The message. */
    public String message() {
        return json.path("fields").path("message").asText();
    }

    /** {@code NAME.NAMESPACE} of the cluster whose reconcile this belongs to; empty outside. */
    public Optional<String> cluster() {
        return Optional.of(OBJECT.matcher(json.path("span").path("object.ref").asText()))
                .filter(matcher -> matcher.matches())
                .map(matcher -> matcher.group(1) + "." + matcher.group(2));
    }

    /** A field; missing where there is none of this name. */
    public JsonNode field(String name) {
        return json.path("fields").path(name);
    }

    /** The level. */
    public String level() {
        return json.path("level").asText();
    }

    /** Microseconds are kept. */
    public java.time.Instant at() {
        return java.time.Instant.parse(json.path("timestamp").asText());
    }

    @Override
    public String toString() {
        return text;
    }

    /** Where it departs from the contract. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        List<String> keys = names(json);
        if (!keys.equals(List.of("timestamp", "level", "fields", "target"))
                && !keys.equals(List.of("timestamp", "level", "fields", "target", "span", "spans"))) {
            problems.add("its keys are " + keys);
        }
        if (!TIMESTAMP.matcher(json.path("timestamp").asText()).matches()) {
            problems.add("its timestamp is no UTC time with six digits of a second");
        }
        if (!LEVELS.contains(level())) {
            problems.add("its level is " + level());
        }
        if (!TARGET.matcher(json.path("target").asText()).matches()) {
            problems.add("its target is no path with '::'");
        }
        if (names(json.path("fields")).stream()
                .findFirst()
                .filter("message"::equals)
                .isEmpty()) {
            problems.add("its first field is not the message");
        }
        if (json.has("span")) {
            problems.addAll(spanProblems());
        }
        return problems;
    }

    private List<String> spanProblems() {
        List<String> problems = new ArrayList<>();
        JsonNode span = json.path("span");
        JsonNode spans = json.path("spans");
        if (!spans.isArray() || spans.isEmpty() || !spans.get(spans.size() - 1).equals(span)) {
            problems.add("span is not the last of spans");
        }
        if (!span.path("name").asText().equals(RECONCILE)) {
            return problems;
        }
        if (!names(span).equals(List.of("object.reason", "object.ref", "name"))) {
            problems.add("the fields of its span are " + names(span));
        }
        if (span.path("object.reason").asText().isBlank()) {
            problems.add("it does not say what woke the operator");
        }
        String inSpan = cluster().map(ref -> ref.substring(0, ref.indexOf('.'))).orElse("");
        boolean ours = json.path("target").asText().startsWith("operator");
        if (inSpan.isEmpty() || (ours && !inSpan.equals(field("cluster_name").asText()))) {
            problems.add("cluster_name and object.ref do not name the same cluster");
        }
        return problems;
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
