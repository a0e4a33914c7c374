package com.gomomento.valkey.operator.kubernetes.resource;

import com.gomomento.valkey.operator.core.model.Check;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One JSON object of a custom resource, with the path at which it stands. Absent and null are the same, as in Kubernetes'
 * own types. Fields that nobody asks for are let be: a newer version may have written them.
 *
 * <p>Read by hand and not bound to classes, so that a refusal can name the path, and a field of the wrong type shows its
 * type only: its value could be a credential (invariant S19).
 */
final class Fields {

    private final String path;
    private final Map<?, ?> values;

    private Fields(String path, Map<?, ?> values) {
        this.path = path;
        this.values = values;
    }

    /** The top of a resource. */
    static Fields root(Map<String, Object> values) {
        return new Fields("", values);
    }

    /** The object in {@code name}, without any field if there is none. */
    Fields object(String name) {
        Object value = values.get(name);
        return value == null ? new Fields(at(name), Map.of()) : asObject(at(name), value);
    }

    /** Whether there is anything in {@code name}. */
    boolean has(String name) {
        return values.get(name) != null;
    }

    /** The objects of the list in {@code name}. */
    List<Fields> objects(String name) {
        List<Fields> objects = new ArrayList<>();
        for (Object element : list(name)) {
            objects.add(asObject(at(name) + "[" + objects.size() + "]", element));
        }
        return objects;
    }

    /** The texts of the list in {@code name}. */
    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Object element : list(name)) {
            texts.add(asText(at(name) + "[" + texts.size() + "]", element));
        }
        return texts;
    }

    /** The text in {@code name}; an empty text counts as none. */
    Optional<String> text(String name) {
        Object value = values.get(name);
        return value == null
                ? Optional.empty()
                : Optional.of(asText(at(name), value)).filter(text -> !text.isEmpty());
    }

    /** The text or number in {@code name}, as text; an empty text counts as none. */
    Optional<String> scalar(String name) {
        Object value = values.get(name);
        return value == null
                ? Optional.empty()
                : Optional.of(asScalar(at(name), value)).filter(text -> !text.isEmpty());
    }

    /** The text in {@code name}, which must be there and not blank. */
    String requiredText(String name) {
        return text(name)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new UnreadableFieldException(at(name) + " is missing"));
    }

    /** The map of texts in {@code name}. */
    SortedMap<String, String> textMap(String name) {
        TreeMap<String, String> map = new TreeMap<>();
        Fields object = object(name);
        object.values.forEach((key, value) -> map.put(key.toString(), asText(object.at(key.toString()), value)));
        return Check.sortedCopy(map);
    }

    /**
     * A map of scalars in {@code name}, as text. Numbers stand as written; booleans become {@code yes} and {@code no}, the
     * words of valkey.conf, because YAML reads an unquoted {@code yes} as a boolean.
     */
    SortedMap<String, String> scalarMap(String name) {
        TreeMap<String, String> map = new TreeMap<>();
        Fields object = object(name);
        object.values.forEach((key, value) -> map.put(key.toString(), asScalar(object.at(key.toString()), value)));
        return Check.sortedCopy(map);
    }

    /** The whole number in {@code name}, within the range of {@code int}. */
    Optional<Integer> integer(String name) {
        OptionalLong value = wholeNumber(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        long number = value.getAsLong();
        if (number != (int) number) {
            throw new UnreadableFieldException(
                    at(name) + " is " + number + ", allowed is " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE);
        }
        return Optional.of((int) number);
    }

    /** The whole number in {@code name}, which must be there. */
    int requiredInteger(String name) {
        return integer(name).orElseThrow(() -> new UnreadableFieldException(at(name) + " is missing"));
    }

    /** The whole number in {@code name}. */
    OptionalLong wholeNumber(String name) {
        Object value = values.get(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (value instanceof Integer || value instanceof Long) {
            return OptionalLong.of(((Number) value).longValue());
        }
        throw wrongType(at(name), value, "a whole number");
    }

    /** The boolean in {@code name}, {@code false} if there is none. */
    boolean flag(String name) {
        Object value = values.get(name);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrongType(at(name), value, "true or false");
    }

    /** The word in {@code name}, as what it stands for in {@code words}. */
    <E> Optional<E> word(String name, Map<String, E> words) {
        Optional<String> text = text(name);
        if (text.isPresent() && !words.containsKey(text.get())) {
            throw new UnreadableFieldException(
                    at(name) + " is '" + text.get() + "', allowed is one of " + String.join(", ", words.keySet()));
        }
        return text.map(words::get);
    }

    /** The word in {@code name}, which must be there. */
    <E> E requiredWord(String name, Map<String, E> words) {
        return word(name, words).orElseThrow(() -> new UnreadableFieldException(at(name) + " is missing"));
    }

    /** The RFC 3339 time in {@code name}. */
    Optional<Instant> time(String name) {
        Optional<String> text = text(name);
        try {
            return text.map(OffsetDateTime::parse).map(OffsetDateTime::toInstant);
        } catch (DateTimeParseException e) {
            throw new UnreadableFieldException(
                    at(name) + " is '" + text.orElse("") + "', allowed is a time such as 2026-11-30T12:00:00Z", e);
        }
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private List<?> list(String name) {
        Object value = values.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrongType(at(name), value, "a list");
    }

    private static Fields asObject(String path, Object value) {
        if (value instanceof Map<?, ?> map) {
            return new Fields(path, map);
        }
        throw wrongType(path, value, "an object");
    }

    private static String asText(String path, Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrongType(path, value, "text");
    }

    private static String asScalar(String path, Object value) {
        return switch (value) {
            case Boolean flag -> flag ? "yes" : "no";
            case Number number -> new BigDecimal(number.toString()).toPlainString();
            case String text -> text;
            case null, default -> throw wrongType(path, value, "text, a number, true or false");
        };
    }

    private static UnreadableFieldException wrongType(String path, Object value, String allowed) {
        return new UnreadableFieldException(path + " is " + typeOf(value) + ", allowed is " + allowed);
    }

    private static String typeOf(Object value) {
        return switch (value) {
            case null -> "null";
            case String _ -> "text";
            case Integer _, Long _, BigInteger _ -> "a whole number";
            case Number _ -> "a fraction";
            case Boolean _ -> "true or false";
            case List<?> _ -> "a list";
            case Map<?, ?> _ -> "an object";
            default -> "something else";
        };
    }
}
