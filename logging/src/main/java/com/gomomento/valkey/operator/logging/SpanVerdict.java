package com.gomomento.valkey.operator.logging;

/** What a filter makes of a span on entering it. */
sealed interface SpanVerdict {

    /** Too verbose for the filter: its lines do not name it, and it opens nothing. */
    record Hidden() implements SpanVerdict {}

    /** Named by its lines; events inside pass up to {@code opens} whatever their target says. */
    record Shown(LevelFilter opens) implements SpanVerdict {}
}
