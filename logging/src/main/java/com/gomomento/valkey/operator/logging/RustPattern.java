package com.gomomento.valkey.operator.logging;

import com.gomomento.valkey.operator.logging.RustPatternCursor.Item;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The patterns of field values: the syntax of Rust's regex library, translated to the JDK's piece by piece.
 *
 * <p>Both libraries prefer the same one of several possible matches. A text matches if the first match found in it
 * reaches to its end: {@code a} matches "ba", but neither "ab" nor "aba". That is the reference's doing, whose automaton
 * stops at the first match and is asked for its state when the text is over.
 *
 * <p>What the reference refuses is refused: look-around, back references, word boundaries. Counted repetition and other
 * syntax with braces cannot occur, since a closing brace ends the field. Of the flags, only {@code i}, {@code m} and
 * {@code s} are understood here.
 */
final class RustPattern {

    private static final String NOTHING_TO_REPEAT = "repetition operator missing expression";

    /** What {@code (?ims)} has switched on, until the group ends. */
    private record Flags(boolean caseless, boolean multiline, boolean dotAll) {
        static final Flags NONE = new Flags(false, false, false);

        Flags with(int flag, boolean on) {
            return new Flags(flag == 'i' ? on : caseless, flag == 'm' ? on : multiline, flag == 's' ? on : dotAll);
        }
    }

    private final RustPatternCursor in;
    private final StringBuilder out = new StringBuilder();
    private final Set<String> groupNames = new HashSet<>();
    private Flags flags = Flags.NONE;
    /** Where the expression starts in the output that a repetition would repeat; -1 if there is none. */
    private int atom = -1;

    private RustPattern(String source) {
        this.in = new RustPatternCursor(source);
    }

    /**
     * Translates a pattern.
     *
     * @throws PatternSyntaxException if it is refused, with the reason as its description
     */
    static Pattern compile(String source) {
        RustPattern translation = new RustPattern(source);
        translation.alternatives();
        if (translation.in.more()) {
            throw translation.in.error("unopened group");
        }
        return Pattern.compile(translation.out.toString());
    }

    /** Whether the first match in {@code text} ends where the text ends. */
    static boolean matches(Pattern pattern, String text) {
        try {
            Matcher matcher = pattern.matcher(text);
            return matcher.find() && matcher.end() == text.length();
        } catch (StackOverflowError e) {
            // The JDK repeats groups by recursion: a text too long for that counts as not matching.
            return false;
        }
    }

    /** Everything up to the end, or up to a closing parenthesis, which is left to the caller. */
    private void alternatives() {
        Flags outer = flags;
        atom = -1;
        while (in.more() && !in.startsWith(")")) {
            int c = in.next();
            switch (c) {
                case '|' -> {
                    out.append('|');
                    atom = -1;
                }
                case '*', '+', '?' -> repetition((char) c);
                case '{' -> throw in.error(atom < 0 ? NOTHING_TO_REPEAT : "unclosed counted repetition");
                case '(' -> group();
                case '[' -> characters(RustPatternClass.read(in));
                case '.' -> element(flags.dotAll ? "(?s:.)" : "[^\\n]");
                case '^' -> element(flags.multiline ? "(?:\\A|(?<=\\n))" : "\\A");
                case '$' -> element(flags.multiline ? "(?=\\n|\\z)" : "\\z");
                case '\\' -> escape();
                default -> characters(new Item.Literal(c).text());
            }
        }
        flags = outer;
    }

    private void element(String text) {
        atom = out.length();
        out.append(text);
    }

    private void characters(String text) {
        element(flags.caseless ? "(?iu:" + text + ")" : text);
    }

    private void escape() {
        if (in.skip("A")) {
            element("\\A");
        } else if (in.skip("z")) {
            element("\\z");
        } else {
            characters(in.escape().text());
        }
    }

    /** The parentheses keep apart what would be one operator to the JDK: {@code a*+} repeats a repetition here. */
    private void repetition(char operator) {
        if (atom < 0) {
            throw in.error(NOTHING_TO_REPEAT);
        }
        out.insert(atom, "(?:(?:").append(')').append(operator);
        if (in.skip("?")) {
            out.append('?');
        }
        out.append(')');
    }

    private void group() {
        Flags outer = flags;
        if (in.skip("?P<")
                || (in.startsWith("?<") && !in.startsWith("?<=") && !in.startsWith("?<!") && in.skip("?<"))) {
            groupName();
        } else if (in.skip("?")) {
            if (in.startsWith("=") || in.startsWith("!") || in.startsWith("<")) {
                throw in.error("look-around is not supported");
            }
            if (flagsOnly()) {
                atom = -1;
                return;
            }
        }
        int start = out.length();
        out.append("(?:");
        alternatives();
        if (!in.skip(")")) {
            throw in.error("unclosed group");
        }
        out.append(')');
        atom = start;
        flags = outer;
    }

    private void groupName() {
        String name = in.until('>', "unclosed group name");
        boolean first = name.codePoints().limit(1).allMatch(c -> c == '_' || Character.isAlphabetic(c));
        if (name.isEmpty() || !first || !name.codePoints().allMatch(RustPattern::isNamePart)) {
            throw in.error("invalid group name");
        }
        if (!groupNames.add(name)) {
            throw in.error("duplicate group name");
        }
    }

    private static boolean isNamePart(int c) {
        return "_.[]".indexOf(c) >= 0 || Character.isLetterOrDigit(c) || Character.isAlphabetic(c);
    }

    /** Reads flags up to a colon, which begins a group, or to a closing parenthesis, which does not: then true. */
    private boolean flagsOnly() {
        boolean on = true;
        int last = '?';
        int count = 0;
        for (int c = in.peek(); c != ':' && c != ')'; c = in.peek()) {
            if (c != 'i' && c != 'm' && c != 's' && (c != '-' || !on)) {
                throw in.error("unrecognized flag, allowed are i, m and s");
            }
            on = on && c != '-';
            flags = flags.with(c, on);
            last = in.next();
            count++;
        }
        boolean flagsOnly = in.next() == ')';
        if (last == '-' || (flagsOnly && count == 0)) {
            throw in.error("flags are missing");
        }
        return flagsOnly;
    }
}
