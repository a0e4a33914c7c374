package com.gomomento.valkey.operator.logging;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The value in {@code [{field=value}]}. Its text alone decides the type, in this order: truth value, unsigned and signed
 * 64-bit number, floating-point number, pattern. It matches only fields of that type: {@code [{cluster=3}]} does not
 * match a cluster whose name is the text "3".
 */
sealed interface ValueMatch {

    /** Numbers closer than this are one to the reference, however small or large they are. */
    double EPSILON = Math.ulp(1.0);

    /** {@code true} or {@code false}. */
    record Bool(boolean expected) implements ValueMatch {}

    /** A whole number that a signed 64-bit field can have. */
    record Whole(long expected) implements ValueMatch {}

    /** A whole number that only an unsigned 64-bit field could have; spans here have none. */
    record Unreachable(String text) implements ValueMatch {}

    /** A floating-point number that is not NaN. */
    record Real(double expected) implements ValueMatch {}

    /** Any NaN. */
    record NotANumber() implements ValueMatch {}

    /** A pattern for text, see {@link RustPattern}. */
    record Text(String source, Pattern pattern) implements ValueMatch {}

    /** What makes two values the same directive. */
    default String identity() {
        return switch (this) {
            case Bool(boolean expected) -> "bool " + expected;
            case Whole(long expected) -> "whole " + expected;
            case Unreachable(String text) -> "unsigned " + text;
            // 0.0 and -0.0 are one value to the reference
            case Real(double expected) -> "real " + (expected + 0.0);
            case NotANumber() -> "nan";
            case Text(String source, Pattern ignored) -> "text " + source;
        };
    }

    /** Whether a span's field has this value. */
    default boolean matches(FieldValue actual) {
        return switch (this) {
            case Bool(boolean expected) -> actual instanceof FieldValue.Bool(boolean value) && value == expected;
            case Whole(long expected) -> actual instanceof FieldValue.Whole(long value) && value == expected;
            case Unreachable(String ignored) -> false;
            case Real(double expected) ->
                actual instanceof FieldValue.Real(double value) && Math.abs(value - expected) < EPSILON;
            case NotANumber() -> actual instanceof FieldValue.Real(double value) && Double.isNaN(value);
            case Text(String ignored, Pattern pattern) ->
                actual instanceof FieldValue.Text(String value) && RustPattern.matches(pattern, value);
        };
    }

    /**
     * Reads a value.
     *
     * @throws java.util.regex.PatternSyntaxException if it is no literal, and no pattern either
     */
    static ValueMatch parse(String text) {
        if (text.equals("true") || text.equals("false")) {
            return new Bool(text.equals("true"));
        }
        return RustNumbers.unsigned(text)
                .<ValueMatch>map(number ->
                        number.bitLength() < 64 ? new Whole(number.longValue()) : new Unreachable(number.toString()))
                .or(() -> RustNumbers.signed(text).map(Whole::new))
                .or(() -> real(text))
                .orElseGet(() -> new Text(text, RustPattern.compile(text)));
    }

    private static Optional<ValueMatch> real(String text) {
        return RustNumbers.real(text).map(number -> number.isNaN() ? new NotANumber() : new Real(number));
    }
}
