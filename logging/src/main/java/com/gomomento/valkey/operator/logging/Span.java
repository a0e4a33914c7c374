package com.gomomento.valkey.operator.logging;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.event.Level;

/**
 * A stretch of work that lines can be attributed to, such as one reconcile of one object.
 *
 * @param name what kind of work, a constant such as {@code reconciling object}
 * @param target where it comes from, a module path such as {@code operator::controller}
 * @param level a filter that admits less than this hides the span, though not the lines in it
 * @param fields in the order given; names are unique, not empty, and not {@code name}, which the line itself uses
 */
public record Span(String name, String target, Level level, List<SpanField> fields) {

    /**
     * One field of a span.
     *
     * @param name not empty
     * @param value typed, see {@link FieldValue}
     */
    public record SpanField(String name, FieldValue value) {
        /** Refuses an empty name and the reserved one. */
        public SpanField {
            if (name.isEmpty() || name.equals("name")) {
                throw new IllegalArgumentException(
                        "span field name is \"" + name + "\", allowed is any but \"\" and \"name\"");
            }
        }
    }

    /** Refuses a field name that occurs twice. */
    public Span {
        fields = List.copyOf(fields);
        Set<String> seen = new HashSet<>();
        for (SpanField field : fields) {
            if (!seen.add(field.name())) {
                throw new IllegalArgumentException("span field name \"" + field.name() + "\" occurs twice");
            }
        }
    }

    /** A span without fields. */
    public static Span of(Level level, String target, String name) {
        return new Span(name, target, level, List.of());
    }

    /** This span with one more text field. */
    public Span with(String field, String value) {
        return with(new SpanField(field, new FieldValue.Text(value)));
    }

    /** This span with one more whole-number field. */
    public Span with(String field, long value) {
        return with(new SpanField(field, new FieldValue.Whole(value)));
    }

    /** This span with one more floating-point field. */
    public Span with(String field, double value) {
        return with(new SpanField(field, new FieldValue.Real(value)));
    }

    /** This span with one more truth-value field. */
    public Span with(String field, boolean value) {
        return with(new SpanField(field, new FieldValue.Bool(value)));
    }

    private Span with(SpanField field) {
        return new Span(
                name,
                target,
                level,
                Stream.concat(fields.stream(), Stream.of(field)).toList());
    }

    Optional<FieldValue> field(String fieldName) {
        for (SpanField field : fields) {
            if (field.name().equals(fieldName)) {
                return Optional.of(field.value());
            }
        }
        return Optional.empty();
    }
}
