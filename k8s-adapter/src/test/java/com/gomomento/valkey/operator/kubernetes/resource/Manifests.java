package com.gomomento.valkey.operator.kubernetes.resource;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Objects from YAML, as people write them. */
final class Manifests {

    private Manifests() {}

    /** The object in {@code yaml}. */
    static CustomObject object(String yaml) {
        Map<String, Object> fields = map(yaml);
        Map<String, Object> metadata = asMap(fields.getOrDefault("metadata", Map.of()));
        return new CustomObject(
                text(metadata, "namespace"),
                text(metadata, "name"),
                text(metadata, "uid"),
                metadata.get("generation") instanceof Number number ? number.longValue() : 0,
                metadata.containsKey("deletionTimestamp"),
                fields);
    }

    /** {@code object} with {@code fields} in its {@code section}, beside those that stand there. */
    static CustomObject with(CustomObject object, String section, Map<String, Object> fields) {
        Map<String, Object> content = new TreeMap<>(object.content());
        Map<String, Object> merged = new TreeMap<>(asMap(content.getOrDefault(section, Map.of())));
        merged.putAll(fields);
        content.put(section, merged);
        return new CustomObject(
                object.namespace(), object.name(), object.uid(), object.generation(), object.deleting(), content);
    }

    /** The map in {@code yaml}. */
    static Map<String, Object> map(String yaml) {
        return asMap(Serialization.unmarshal("---\n" + yaml, Map.class));
    }

    @SuppressWarnings("unchecked") // keys of JSON objects are texts
    static Map<String, Object> asMap(Object value) {
        return (Map<String, Object>) value;
    }

    private static String text(Map<String, Object> fields, String name) {
        return Optional.<Object>ofNullable(fields.get(name))
                .map(Object::toString)
                .orElse("");
    }
}
