package com.gomomento.valkey.operator.logging;

import java.util.Locale;
import java.util.Optional;
import org.slf4j.event.Level;

/** How much is let through, from nothing to everything. The order of the constants is the order of verbosity. */
public enum LevelFilter {
    /** Nothing passes. */
    OFF,
    /** Errors only. */
    ERROR,
    /** Warnings and errors. */
    WARN,
    /** Informational lines and all above. */
    INFO,
    /** Debugging lines and all above. */
    DEBUG,
    /** Everything. */
    TRACE;

    private static final LevelFilter[] BY_NUMBER = values();

    /** The filter that lets through {@code level} and all that is more severe. */
    public static LevelFilter of(Level level) {
        return switch (level) {
            case ERROR -> ERROR;
            case WARN -> WARN;
            case INFO -> INFO;
            case DEBUG -> DEBUG;
            case TRACE -> TRACE;
        };
    }

    /** Whether an event or span of {@code level} passes. */
    public boolean allows(Level level) {
        return covers(of(level));
    }

    /** Whether this filter is at least as verbose as {@code other}. */
    boolean covers(LevelFilter other) {
        return compareTo(other) >= 0;
    }

    /** The more verbose of the two. */
    LevelFilter max(LevelFilter other) {
        return covers(other) ? this : other;
    }

    /**
     * Reads a name in any case, or a number from 0 ({@code OFF}) to 5 ({@code TRACE}), which may have a plus sign and
     * leading zeros because the integer parser of the reference takes them.
     */
    static Optional<LevelFilter> parse(String text) {
        String digits = text.startsWith("+") ? text.substring(1) : text;
        if (!digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            String significant = digits.replaceFirst("^0+(?=.)", "");
            int number = significant.length() == 1 ? significant.charAt(0) - '0' : BY_NUMBER.length;
            return number < BY_NUMBER.length ? Optional.of(BY_NUMBER[number]) : Optional.empty();
        }
        return switch (asciiLowerCase(text)) {
            case "off" -> Optional.of(OFF);
            case "error" -> Optional.of(ERROR);
            case "warn" -> Optional.of(WARN);
            case "info" -> Optional.of(INFO);
            case "debug" -> Optional.of(DEBUG);
            case "trace" -> Optional.of(TRACE);
            default -> Optional.empty();
        };
    }

    /** Unicode has letters whose lower case is ASCII, such as the Kelvin sign; they make no level name. */
    private static String asciiLowerCase(String text) {
        return text.chars().allMatch(c -> c < 128) ? text.toLowerCase(Locale.ROOT) : text;
    }
}
