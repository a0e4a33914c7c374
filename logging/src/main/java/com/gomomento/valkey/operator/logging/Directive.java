package com.gomomento.valkey.operator.logging;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;

/**
 * One part of a filter: {@code target[span{field=value}]=level}, each piece optional.
 *
 * <p>There is one field at most: a comma would have split the part, see {@link RustLogFilter}.
 */
record Directive(Optional<String> target, Optional<String> span, Optional<FieldMatch> field, LevelFilter level) {

    /** A field that must be there, and perhaps the value that it must have. */
    record FieldMatch(String name, Optional<ValueMatch> value) {}

    /**
     * Most specific first: longer target (in bytes), then with a span name, then with a field. The rest makes the order
     * total, so that directives which compare as equal are the same but for their level.
     */
    static final Comparator<Directive> MOST_SPECIFIC_FIRST = Comparator.comparingInt(Directive::targetLength)
            .thenComparing(d -> d.span.isPresent())
            .thenComparing(d -> d.field.isPresent())
            .thenComparing(d -> d.target.orElse(""))
            .thenComparing(d -> d.span.orElse(""))
            .thenComparing(d -> d.field.map(FieldMatch::name).orElse(""))
            .thenComparing(d -> d.field.flatMap(FieldMatch::value).isPresent())
            .thenComparing(d ->
                    d.field.flatMap(FieldMatch::value).map(ValueMatch::identity).orElse(""))
            .reversed();

    /** Whether it looks at spans: by name, or by a field. */
    boolean isDynamic() {
        return span.isPresent() || field.isPresent();
    }

    /**
     * Whether it selects events by what they are rather than by the spans around them. A bare field name does both: it
     * opens spans that have the field, and selects events that have it.
     */
    boolean isStatic() {
        return span.isEmpty() && !hasValue();
    }

    boolean hasValue() {
        return field.flatMap(FieldMatch::value).isPresent();
    }

    /** A target matches as the start of the text, not at {@code ::} boundaries. */
    boolean matchesTarget(String actual) {
        return target.isEmpty() || actual.startsWith(target.get());
    }

    /** Whether it is about spans such as this, whatever the value of the field. */
    boolean concerns(Span actual) {
        return matchesTarget(actual.target())
                && (span.isEmpty() || span.get().equals(actual.name()))
                && (field.isEmpty() || actual.field(field.get().name()).isPresent());
    }

    /** Whether the span's field has the value asked for; true if none is asked for. */
    boolean valueMatches(Span actual) {
        return field.flatMap(match -> match.value()
                        .map(value ->
                                actual.field(match.name()).map(value::matches).orElse(false)))
                .orElse(true);
    }

    private int targetLength() {
        return target.map(text -> text.getBytes(StandardCharsets.UTF_8).length).orElse(-1);
    }
}
