package com.gomomento.valkey.operator.logging;

/**
 * Fills the arguments of a log call into its message, by the rules of slf4j. slf4j's own code reports an argument whose
 * {@code toString} fails on standard error, in plain text and with a stack trace; here the message names it instead.
 */
final class MessageText {

    private static final String PLACE = "{}";

    private MessageText() {}

    /** {@code pattern} with each place filled by one argument; what is left over of either stays as it is. */
    static String fill(String pattern, Object[] arguments) {
        StringBuilder out = new StringBuilder(pattern.length() + 16 * arguments.length);
        int from = 0;
        int used = 0;
        while (used < arguments.length) {
            int place = pattern.indexOf(PLACE, from);
            if (place < 0) {
                break;
            }
            boolean escaped = place > 0 && pattern.charAt(place - 1) == '\\';
            boolean escapeEscaped = escaped && place > 1 && pattern.charAt(place - 2) == '\\';
            out.append(pattern, from, escaped ? place - 1 : place);
            if (escaped && !escapeEscaped) {
                out.append('{');
                from = place + 1;
            } else {
                out.append(JsonText.text(arguments[used++]));
                from = place + PLACE.length();
            }
        }
        return out.append(pattern, from, pattern.length()).toString();
    }
}
