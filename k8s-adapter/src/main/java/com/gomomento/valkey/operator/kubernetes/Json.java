package com.gomomento.valkey.operator.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON to plain maps and lists, and back. Objects of Kubernetes are read without classes of their own: the typed models
 * would cost more memory than all objects that they hold.
 */
final class Json {

    /** Nobody here reads it, and it is the greater half of many objects. */
    private static final String SKIPPED = "managedFields";

    private static final JsonFactory READER = new JsonFactory();
    private static final ObjectMapper WRITER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private Json() {}

    /**
     * Reads one JSON object.
     *
     * @throws IOException when the text is no JSON object
     */
    static Map<String, Object> read(byte[] text) throws IOException {
        try (JsonParser parser = READER.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the answer is no JSON object");
            }
            return object(parser);
        }
    }

    /** Writes maps in key order, so that equal values give equal bytes. */
    static byte[] write(Object value) {
        try {
            return WRITER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("maps, lists and texts can always be written", e);
        }
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            String name = parser.currentName();
            JsonToken first = parser.nextToken();
            if (name.equals(SKIPPED)) {
                parser.skipChildren();
            } else if (first != JsonToken.VALUE_NULL) {
                object.put(name, value(parser, first));
            }
        }
        return object;
    }

    private static List<Object> array(JsonParser parser) throws IOException {
        List<Object> list = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            list.add(value(parser, token));
        }
        return list;
    }

    private static Object value(JsonParser parser, JsonToken first) throws IOException {
        return switch (first) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL, NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IOException("unexpected " + first + " in JSON");
        };
    }
}
