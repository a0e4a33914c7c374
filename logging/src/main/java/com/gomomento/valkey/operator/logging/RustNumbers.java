package com.gomomento.valkey.operator.logging;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers as Rust's {@code str::parse} reads them, which differs from Java in what it takes and what it refuses. */
final class RustNumbers {

    private static final Pattern UNSIGNED = Pattern.compile("\\+?[0-9]+");
    private static final Pattern SIGNED = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern REAL = Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
    private static final Pattern INFINITE = Pattern.compile("[+-]?(?i:inf|infinity)");
    private static final Pattern NAN = Pattern.compile("[+-]?(?i:nan)");

    private RustNumbers() {}

    /** An unsigned 64-bit number; empty also if it is too large. */
    static Optional<BigInteger> unsigned(String text) {
        return whole(UNSIGNED, text).filter(number -> number.bitLength() <= 64);
    }

    /** A signed 64-bit number; empty also if it does not fit. */
    static Optional<Long> signed(String text) {
        return whole(SIGNED, text).filter(number -> number.bitLength() <= 63).map(BigInteger::longValue);
    }

    /** A floating-point number, infinite and NaN by name included. */
    static Optional<Double> real(String text) {
        if (INFINITE.matcher(text).matches()) {
            return Optional.of(text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
        }
        if (NAN.matcher(text).matches()) {
            return Optional.of(Double.NaN);
        }
        return REAL.matcher(text).matches()
                ? Optional.of(Double.valueOf(text.toLowerCase(Locale.ROOT)))
                : Optional.empty();
    }

    private static Optional<BigInteger> whole(Pattern grammar, String text) {
        if (!grammar.matcher(text).matches()) {
            return Optional.empty();
        }
        return Optional.of(new BigInteger(text.startsWith("+") ? text.substring(1) : text));
    }
}
