package com.gomomento.valkey.operator.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A look into one JSON object. What is absent, or of another type than asked for, is simply not there: the API server has
 * checked built-in kinds against their schema.
 *
 * @param fields as read
 */
record KubeObject(Map<String, Object> fields) {

    /** The object at {@code path}, without any field if there is none. */
    KubeObject at(String... path) {
        KubeObject current = this;
        for (String step : path) {
            current = asObject(current.fields.getOrDefault(step, Map.of()));
        }
        return current;
    }

    boolean isEmpty() {
        return fields.isEmpty();
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** Whether every field of {@code wanted} is here with the same value; lists must be as long. */
    boolean has(Map<String, ?> wanted) {
        return matches(fields, wanted);
    }

    Optional<String> text(String name) {
        return fields.get(name) instanceof String text && !text.isEmpty() ? Optional.of(text) : Optional.empty();
    }

    Optional<Long> number(String name) {
        return fields.get(name) instanceof Number number ? Optional.of(number.longValue()) : Optional.empty();
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    /** The objects in the list {@code name}. */
    List<KubeObject> objects(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream().map(KubeObject::asObject).toList()
                : List.of();
    }

    /** The texts in the list {@code name}. */
    List<String> words(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList()
                : List.of();
    }

    /** The texts in the map {@code name}. */
    SortedMap<String, String> texts(String name) {
        SortedMap<String, String> texts = new TreeMap<>();
        at(name).fields.forEach((key, value) -> {
            if (value instanceof String text) {
                texts.put(key, text);
            }
        });
        return texts;
    }

    ObjectName objectName() {
        KubeObject metadata = metadata();
        return new ObjectName(
                metadata.text("namespace").orElse(""), metadata.text("name").orElse(""));
    }

    String uid() {
        return metadata().text("uid").orElse("");
    }

    String resourceVersion() {
        return metadata().text("resourceVersion").orElse("");
    }

    boolean terminating() {
        return metadata().has("deletionTimestamp");
    }

    KubeObject metadata() {
        return at("metadata");
    }

    private static boolean matches(Object actual, Object wanted) {
        return switch (wanted) {
            case Map<?, ?> map -> actual instanceof Map<?, ?> object && matchesAll(object, map);
            case List<?> list -> actual instanceof List<?> elements && matchesEach(elements, list);
            case Number number -> actual instanceof Number other && other.longValue() == number.longValue();
            default -> actual.equals(wanted);
        };
    }

    private static boolean matchesAll(Map<?, ?> actual, Map<?, ?> wanted) {
        for (Map.Entry<?, ?> field : wanted.entrySet()) {
            Object value = actual.get(field.getKey());
            if (value == null || !matches(value, field.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean matchesEach(List<?> actual, List<?> wanted) {
        boolean same = actual.size() == wanted.size();
        for (int i = 0; same && i < wanted.size(); i++) {
            same = matches(actual.get(i), wanted.get(i));
        }
        return same;
    }

    @SuppressWarnings("unchecked") // Json makes only maps with texts as keys
    private static KubeObject asObject(Object value) {
        return new KubeObject(value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of());
    }
}
