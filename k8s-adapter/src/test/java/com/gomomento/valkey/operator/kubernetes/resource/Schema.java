package com.gomomento.valkey.operator.kubernetes.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One shipped CustomResourceDefinition. Fields are named by their path in an object, such as {@code spec.acl[0].username}:
 * the first element stands for all elements of a list, and the key {@code any} for all keys of a map.
 */
final class Schema {

    static final Path FOLDER = Path.of("..", "deploy", "crds");

    private static final String ANY = "any";

    private final String text;
    private final JsonNode definition;

    private Schema(String text) {
        this.text = text;
        this.definition = Serialization.unmarshal(text, JsonNode.class);
    }

    static Schema of(ValkeyKind kind) {
        try {
            return new Schema(Files.readString(FOLDER.resolve(kind.plural() + ".yaml")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file as it stands. */
    String text() {
        return text;
    }

    /** The whole definition. */
    JsonNode definition() {
        return definition;
    }

    /** The one version. */
    JsonNode version() {
        return definition.at("/spec/versions/0");
    }

    /** {@code spec}, and {@code status} of kinds that have one. */
    List<String> sections() {
        return Stream.of("spec", "status")
                .filter(section -> !section(section).isMissingNode())
                .toList();
    }

    /** Every scalar field under {@code section}, with its schema. */
    Map<String, JsonNode> leaves(String section) {
        Map<String, JsonNode> leaves = new TreeMap<>();
        collect(section, section(section), leaves);
        return leaves;
    }

    /** The words allowed in the field at {@code path}. */
    SortedSet<String> words(String path) {
        SortedSet<String> words = new TreeSet<>();
        leaves(path.substring(0, path.indexOf('.')))
                .getOrDefault(path, definition)
                .path("enum")
                .forEach(word -> words.add(word.asText()));
        return words;
    }

    /** A {@code section} in which every field that the schema knows is filled in. */
    Object example(String section) {
        return example(section(section));
    }

    /** Every field under {@code section} that says nothing of what it is for. */
    List<String> undescribed(String section) {
        List<String> undescribed = new ArrayList<>();
        collectUndescribed(section, section(section), undescribed);
        return undescribed;
    }

    private static void collectUndescribed(String path, JsonNode schema, List<String> undescribed) {
        schema.path("properties").properties().forEach(field -> {
            String below = path + "." + field.getKey();
            if (field.getValue().path("description").asText().isBlank()) {
                undescribed.add(below);
            }
            collectUndescribed(below, field.getValue(), undescribed);
            collectUndescribed(below + "[0]", field.getValue().path("items"), undescribed);
        });
    }

    private JsonNode section(String section) {
        return version().at("/schema/openAPIV3Schema/properties/" + section);
    }

    private static void collect(String path, JsonNode schema, Map<String, JsonNode> leaves) {
        switch (schema.path("type").asText()) {
            case "object" -> {
                schema.path("properties")
                        .properties()
                        .forEach(field -> collect(path + "." + field.getKey(), field.getValue(), leaves));
                if (schema.has("additionalProperties")) {
                    collect(path + "." + ANY, schema.path("additionalProperties"), leaves);
                }
            }
            case "array" -> collect(path + "[0]", schema.path("items"), leaves);
            default -> leaves.put(path, schema);
        }
    }

    private static Object example(JsonNode schema) {
        if (schema.has("enum")) {
            return schema.path("enum").path(0).asText();
        }
        return switch (schema.path("type").asText()) {
            case "object" -> exampleObject(schema);
            case "array" -> new ArrayList<>(List.of(example(schema.path("items"))));
            case "integer", "number" -> 1;
            case "boolean" -> true;
            default -> exampleText(schema);
        };
    }

    private static Map<String, Object> exampleObject(JsonNode schema) {
        Map<String, Object> object = new LinkedHashMap<>();
        schema.path("properties").properties().forEach(field -> object.put(field.getKey(), example(field.getValue())));
        if (schema.has("additionalProperties")) {
            object.put(ANY, example(schema.path("additionalProperties")));
        }
        return object;
    }

    private static String exampleText(JsonNode schema) {
        if (schema.path("format").asText().equals("date-time")) {
            return "2026-11-30T12:00:00Z";
        }
        return schema.path("pattern").asText().contains("{40}") ? "a".repeat(40) : "text";
    }
}
