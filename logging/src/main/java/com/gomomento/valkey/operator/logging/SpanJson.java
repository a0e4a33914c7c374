package com.gomomento.valkey.operator.logging;

import java.util.Comparator;
import java.util.List;

/** Spans as JSON: fields sorted by the bytes of their names, {@code name} last, as the reference prints them. */
final class SpanJson {

    /** UTF-16 order differs from UTF-8 order beyond the basic plane; the reference sorts bytes, that is code points. */
    private static final Comparator<Span.SpanField> BY_NAME = (a, b) -> {
        int[] left = a.name().codePoints().toArray();
        int[] right = b.name().codePoints().toArray();
        return java.util.Arrays.compare(left, right);
    };

    private SpanJson() {}

    /** {@code ,"span":LEAF,"spans":[ROOT,...,LEAF]}. */
    static byte[] members(List<Span> spans) {
        Utf8Buffer out = new Utf8Buffer(512);
        out.ascii(",\"span\":");
        object(out, spans.getLast());
        out.ascii(",\"spans\":[");
        for (int i = 0; i < spans.size(); i++) {
            if (i > 0) {
                out.ascii(',');
            }
            object(out, spans.get(i));
        }
        out.ascii(']');
        return out.toByteArray();
    }

    private static void object(Utf8Buffer out, Span span) {
        out.ascii('{');
        for (Span.SpanField field : span.fields().stream().sorted(BY_NAME).toList()) {
            JsonText.string(out, field.name());
            out.ascii(':');
            switch (field.value()) {
                case FieldValue.Text(String text) -> JsonText.string(out, text);
                case FieldValue.Whole(long number) -> JsonText.number(out, number);
                case FieldValue.Real(double number) -> JsonText.number(out, number);
                case FieldValue.Bool(boolean truth) -> out.ascii(truth ? "true" : "false");
            }
            out.ascii(',');
        }
        out.ascii("\"name\":");
        JsonText.string(out, span.name());
        out.ascii('}');
    }
}
