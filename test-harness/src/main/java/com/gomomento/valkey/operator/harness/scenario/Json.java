package com.gomomento.valkey.operator.harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Reads single fields of objects. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** The object as JSON. */
    static JsonNode tree(HasMetadata object) {
        return MAPPER.valueToTree(object);
    }

    /** The field's text, or an empty one where there is none. */
    static String text(HasMetadata object, String... path) {
        JsonNode node = tree(object);
        for (String field : path) {
            node = node.path(field);
        }
        return node.asText();
    }
}
