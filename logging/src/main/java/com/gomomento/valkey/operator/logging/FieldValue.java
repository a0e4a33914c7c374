package com.gomomento.valkey.operator.logging;

/**
 * The value of a span's field. The type matters: a directive such as {@code [{attempt=3}]} matches the number 3, never
 * the text "3".
 */
public sealed interface FieldValue {

    /** Text, matched by pattern. */
    record Text(String value) implements FieldValue {}

    /** A whole number. */
    record Whole(long value) implements FieldValue {}

    /** A floating-point number; infinite and NaN print as JSON null. */
    record Real(double value) implements FieldValue {}

    /** A truth value. */
    record Bool(boolean value) implements FieldValue {}
}
