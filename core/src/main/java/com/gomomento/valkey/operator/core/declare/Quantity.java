package com.gomomento.valkey.operator.core.declare;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts of resources as Kubernetes writes them: a decimal number with a binary suffix ({@code Ki} to {@code Ei}), a
 * decimal one ({@code n} to {@code E}) or an exponent ({@code 1e3}). Source: the Kubernetes API's serialization format of
 * {@code resource.Quantity}.
 */
public final class Quantity {

    private static final Pattern FORM = Pattern.compile(
            "([+-]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30}))([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d{1,2})?");
    private static final Map<String, Integer> POWER_OF_1024 =
            Map.of("Ki", 1, "Mi", 2, "Gi", 3, "Ti", 4, "Pi", 5, "Ei", 6);
    private static final Map<String, Integer> POWER_OF_TEN =
            Map.of("n", -9, "u", -6, "m", -3, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private Quantity() {}

    /** The amount, exactly; empty if the text has another form. */
    public static Optional<BigDecimal> parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        String suffix = Optional.ofNullable(parts.group(2)).orElse("");
        if (POWER_OF_1024.containsKey(suffix)) {
            return Optional.of(number.multiply(BigDecimal.valueOf(1024).pow(POWER_OF_1024.getOrDefault(suffix, 0))));
        }
        if (suffix.isEmpty() || POWER_OF_TEN.containsKey(suffix)) {
            return Optional.of(number.scaleByPowerOfTen(POWER_OF_TEN.getOrDefault(suffix, 0)));
        }
        return Optional.of(number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1))));
    }

    /** The amount as bytes, rounded up as Kubernetes does; empty for another form and beyond {@code long}. */
    static Optional<Long> parseBytes(String text) {
        return parse(text)
                .map(amount -> amount.setScale(0, RoundingMode.UP))
                .filter(amount -> amount.abs().compareTo(LARGEST) <= 0)
                .map(BigDecimal::longValueExact);
    }
}
