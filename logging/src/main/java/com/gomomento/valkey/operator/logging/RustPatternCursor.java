package com.gomomento.valkey.operator.logging;

import java.util.regex.PatternSyntaxException;

/** A place in the text of a pattern, and the escapes that mean the same inside and outside a class. */
final class RustPatternCursor {

    private final String source;
    private int at;

    RustPatternCursor(String source) {
        this.source = source;
    }

    boolean more() {
        return at < source.length();
    }

    /** The code point here, or -1 at the end. */
    int peek() {
        return more() ? source.codePointAt(at) : -1;
    }

    int next() {
        int c = source.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    boolean startsWith(String text) {
        return source.startsWith(text, at);
    }

    /** Moves past {@code text} if it is here. */
    boolean skip(String text) {
        boolean here = startsWith(text);
        if (here) {
            at += text.length();
        }
        return here;
    }

    /** The text up to {@code end}, moving past both; fails if there is no {@code end}. */
    String until(char end, String reason) {
        int found = source.indexOf(end, at);
        if (found < 0) {
            throw error(reason);
        }
        String text = source.substring(at, found);
        at = found + 1;
        return text;
    }

    PatternSyntaxException error(String reason) {
        return new PatternSyntaxException(reason, source, at);
    }

    /** One piece of a pattern: a single character, or a set of them written as a class of the JDK. */
    sealed interface Item {
        /** Its form in a JDK pattern, inside and outside a class. */
        String text();

        /** One character. */
        record Literal(int codePoint) implements Item {
            @Override
            public String text() {
                return String.format("\\x{%x}", codePoint);
            }
        }

        /** Any character of a class. */
        record Set(String text) implements Item {}
    }

    /** What follows a backslash, anchors excepted. */
    Item escape() {
        if (!more()) {
            throw error("incomplete escape sequence");
        }
        int c = next();
        return switch (c) {
            case 'd' -> new Item.Set("[\\p{Nd}]");
            case 'D' -> new Item.Set("[^\\p{Nd}]");
            case 's' -> new Item.Set("[\\p{IsWhite_Space}]");
            case 'S' -> new Item.Set("[^\\p{IsWhite_Space}]");
            case 'w' -> new Item.Set("[\\p{IsAlphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{IsJoin_Control}]");
            case 'W' -> new Item.Set("[^\\p{IsAlphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{IsJoin_Control}]");
            case 'p', 'P' -> new Item.Set("\\" + (char) c + category());
            case 'x' -> new Item.Literal(hex(2));
            case 'u' -> new Item.Literal(hex(4));
            case 'U' -> new Item.Literal(hex(8));
            case 'a' -> new Item.Literal(7);
            case 't' -> new Item.Literal('\t');
            case 'n' -> new Item.Literal('\n');
            case 'v' -> new Item.Literal(0xb);
            case 'f' -> new Item.Literal('\f');
            case 'r' -> new Item.Literal('\r');
            case 'b', 'B', '<', '>' -> throw error("word boundaries are not supported");
            default -> {
                if (c >= '0' && c <= '9') {
                    throw error("backreferences are not supported");
                }
                if (c > 0x7f || Character.isLetter(c)) {
                    throw error("unrecognized escape sequence");
                }
                yield new Item.Literal(c);
            }
        };
    }

    /** A general category by its one letter; longer names need braces. */
    private char category() {
        int letter = more() ? next() : -1;
        if (letter < 0 || "CLMNPSZ".indexOf(letter) < 0) {
            throw error("Unicode property not found");
        }
        return (char) letter;
    }

    private int hex(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int c = more() ? next() : -1;
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0 || value > 0xfffffff) {
                throw error("invalid hexadecimal digit");
            }
            value = value * 16 + digit;
        }
        if (value < 0 || value > Character.MAX_CODE_POINT || (value >= 0xd800 && value <= 0xdfff)) {
            throw error("hexadecimal literal is not a Unicode scalar value");
        }
        return value;
    }
}
