package com.gomomento.valkey.operator.logging;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/**
 * Reads one directive, character by character, with the states of the reference.
 *
 * <p>The reference looks at the text without the white space around it, but cuts pieces out of the text with it, at
 * byte positions. Hence space after a target belongs to the target, and space before anything shifts every cut. That is
 * kept, because a filter has to mean the same as it did before.
 */
final class DirectiveParser {

    /** A directive, or the reason why there is none. */
    sealed interface Result {
        /** The text is a directive. */
        record Parsed(Directive directive) implements Result {}

        /** The text is none. */
        record Refused(String reason) implements Result {}
    }

    private static final String BAD_LEVEL = "error parsing level filter: expected one of \"off\", \"error\", \"warn\","
            + " \"info\", \"debug\", \"trace\", or a number 0-5";

    private enum State {
        START,
        LEVEL_OR_TARGET,
        SPAN,
        FIELD,
        AFTER_FIELD,
        AFTER_BRACKET,
        LEVEL
    }

    /** Ends the parse; never leaves this class. */
    private static final class Stop extends Exception {
        private final String reason;

        Stop(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }
    }

    private final byte[] text;
    private State state = State.START;
    private int pieceStart;
    private Optional<String> target = Optional.empty();
    private Optional<String> span = Optional.empty();
    private Optional<Directive.FieldMatch> field = Optional.empty();

    private DirectiveParser(String text) {
        this.text = text.getBytes(StandardCharsets.UTF_8);
    }

    static Result parse(String text) {
        try {
            return new Result.Parsed(new DirectiveParser(text).read(trim(text)));
        } catch (Stop stop) {
            return new Result.Refused(stop.reason);
        }
    }

    private Directive read(String trimmed) throws Stop {
        int at = 0;
        for (int c : trimmed.codePoints().toArray()) {
            state = next(c, at);
            at += Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
        }
        return switch (state) {
            case LEVEL_OR_TARGET -> levelOrTarget(piece(text.length));
            case LEVEL -> new Directive(target, span, field, level(piece(text.length)));
            case AFTER_BRACKET -> new Directive(target, span, field, LevelFilter.TRACE);
            case START, SPAN, FIELD, AFTER_FIELD -> throw invalid();
        };
    }

    private State next(int c, int at) throws Stop {
        return switch (state) {
            case START -> start(c, at);
            case LEVEL_OR_TARGET -> c == '=' || c == '[' ? endTarget(c, at) : state;
            case SPAN -> c == ']' || c == '{' ? endSpan(c, at) : state;
            case FIELD -> c == '}' ? endField(at) : state;
            case AFTER_FIELD -> expect(c == ']', State.AFTER_BRACKET, at);
            case AFTER_BRACKET -> expect(c == '=', State.LEVEL, at);
            case LEVEL -> state;
        };
    }

    private State start(int c, int at) throws Stop {
        if (c == '[') {
            return open(State.SPAN, at + 1);
        }
        if (c != '-' && c != ':' && c != '_' && !isAlphanumeric(c)) {
            throw invalid();
        }
        return open(State.LEVEL_OR_TARGET, at);
    }

    private State endTarget(int c, int at) throws Stop {
        target = Optional.of(piece(at));
        return open(c == '=' ? State.LEVEL : State.SPAN, at + 1);
    }

    /** A name may be left out before a field, but {@code []} asks for a span without a name. */
    private State endSpan(int c, int at) throws Stop {
        span = Optional.of(piece(at)).filter(name -> c == ']' || !name.isEmpty());
        return c == ']' ? State.AFTER_BRACKET : open(State.FIELD, at + 1);
    }

    private State endField(int at) throws Stop {
        field = Optional.of(field(piece(at)));
        return State.AFTER_FIELD;
    }

    private State expect(boolean met, State following, int at) throws Stop {
        if (!met) {
            throw invalid();
        }
        return open(following, at + 1);
    }

    private State open(State piece, int start) {
        pieceStart = start;
        return piece;
    }

    /** The bytes from the start of the current piece; the reference aborts where we refuse to split a character. */
    private String piece(int end) throws Stop {
        if (splitsCharacter(pieceStart) || splitsCharacter(end)) {
            throw invalid();
        }
        return new String(text, pieceStart, end - pieceStart, StandardCharsets.UTF_8);
    }

    private boolean splitsCharacter(int at) {
        return at < text.length && (text[at] & 0xc0) == 0x80;
    }

    private static Directive levelOrTarget(String word) {
        return LevelFilter.parse(word)
                .map(level -> new Directive(Optional.empty(), Optional.empty(), Optional.empty(), level))
                .orElseGet(
                        () -> new Directive(Optional.of(word), Optional.empty(), Optional.empty(), LevelFilter.TRACE));
    }

    private static LevelFilter level(String word) throws Stop {
        return word.isEmpty() ? LevelFilter.TRACE : LevelFilter.parse(word).orElseThrow(() -> new Stop(BAD_LEVEL));
    }

    /** {@code name} or {@code name=value}; what follows a second {@code =} is dropped. */
    private static Directive.FieldMatch field(String text) throws Stop {
        if (text.isEmpty()) {
            throw invalid();
        }
        String[] parts = text.split("=", -1);
        if (parts.length == 1) {
            return new Directive.FieldMatch(text, Optional.empty());
        }
        try {
            return new Directive.FieldMatch(parts[0], Optional.of(ValueMatch.parse(parts[1])));
        } catch (PatternSyntaxException e) {
            throw new Stop("invalid field filter: " + e.getDescription());
        }
    }

    private static Stop invalid() {
        return new Stop("invalid filter directive");
    }

    private static boolean isAlphanumeric(int c) {
        return switch (Character.getType(c)) {
            case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
            default -> Character.isAlphabetic(c);
        };
    }

    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isWhiteSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isWhiteSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    /** Unicode's White_Space; Java's own notion leaves out the no-break spaces. */
    private static boolean isWhiteSpace(char c) {
        return (c >= 0x09 && c <= 0x0d) || c == 0x85 || Character.isSpaceChar(c);
    }
}
