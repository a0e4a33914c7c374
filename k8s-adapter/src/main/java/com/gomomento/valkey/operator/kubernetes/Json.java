package com.gomomento.valkey.operator.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * JSON to plain maps and lists, and back. Objects of Kubernetes are read without classes of their own: the typed models
 * would cost more memory than all objects that they hold, and so would Jackson's binding of classes.
 */
final class Json {

    /** Nobody here reads it, and it is the greater half of many objects. */
    private static final String SKIPPED = "managedFields";

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /**
     * Reads one JSON object.
     *
     * @throws IOException when the text is no JSON object
     */
    static Map<String, Object> read(byte[] text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the answer is no JSON object");
            }
            return object(parser);
        }
    }

    /** Writes maps in key order, so that equal values give equal bytes. A null in a map is written: a merge removes by it. */
    static byte[] write(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can always be written to", e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator generator, Object value) throws IOException {
        switch (value) {
            case null -> generator.writeNull();
            case Map<?, ?> map -> writeObject(generator, map);
            case List<?> list -> writeArray(generator, list);
            case String text -> generator.writeString(text);
            case Boolean flag -> generator.writeBoolean(flag);
            case Integer number -> generator.writeNumber(number);
            case Long number -> generator.writeNumber(number);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static void writeArray(JsonGenerator generator, List<?> elements) throws IOException {
        generator.writeStartArray();
        for (Object element : elements) {
            write(generator, element);
        }
        generator.writeEndArray();
    }

    private static void writeObject(JsonGenerator generator, Map<?, ?> fields) throws IOException {
        SortedMap<String, Object> sorted = new TreeMap<>();
        fields.forEach((name, value) -> sorted.put(String.valueOf(name), value));
        generator.writeStartObject();
        for (Map.Entry<String, Object> field : sorted.entrySet()) {
            generator.writeFieldName(field.getKey());
            write(generator, field.getValue());
        }
        generator.writeEndObject();
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
