package com.gomomento.valkey.operator.core.declare;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts of memory as valkey.conf writes them: a whole number with an optional unit, of which {@code k}, {@code m} and
 * {@code g} count in thousands and {@code kb}, {@code mb} and {@code gb} in 1024s, in any case. Source: the head of the
 * server's own valkey.conf.
 */
final class MemorySize {

    private static final Pattern FORM = Pattern.compile("(\\d{1,19})([kmg]?b?)");
    private static final Map<String, Long> UNITS = Map.of(
            "",
            1L,
            "b",
            1L,
            "k",
            1000L,
            "kb",
            1L << 10,
            "m",
            1_000_000L,
            "mb",
            1L << 20,
            "g",
            1_000_000_000L,
            "gb",
            1L << 30);

    private MemorySize() {}

    /** The amount in bytes, 0 or more; empty if the text has another form or is beyond {@code long}. */
    static Optional<Long> parseBytes(String text) {
        Matcher parts = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return Optional.empty();
        }
        BigInteger unit = BigInteger.valueOf(UNITS.getOrDefault(parts.group(2), 1L));
        BigInteger bytes = new BigInteger(parts.group(1)).multiply(unit);
        return bytes.bitLength() < Long.SIZE ? Optional.of(bytes.longValueExact()) : Optional.empty();
    }
}
