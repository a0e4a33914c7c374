package com.gomomento.valkey.operator.logging;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;

/** JSON values as Rust's serde_json prints them: which characters are escaped, and how numbers look. */
final class JsonText {

    private static final String HEX = "0123456789abcdef";
    private static final BigInteger UNSIGNED_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    private static final BigInteger SIGNED_MIN = BigInteger.valueOf(Long.MIN_VALUE);

    private JsonText() {}

    /** A quoted string. Only quote, backslash and the characters below 0x20 are escaped. */
    static void string(Utf8Buffer out, String text) {
        out.ascii('"');
        int length = text.length();
        int i = out.plainPrefix(text, 0);
        while (i < length) {
            int c = text.codePointAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                escape(out, c);
            } else {
                out.codePoint(c);
            }
            i = out.plainPrefix(text, i + Character.charCount(c));
        }
        out.ascii('"');
    }

    private static void escape(Utf8Buffer out, int c) {
        out.ascii('\\');
        switch (c) {
            case '"' -> out.ascii('"');
            case '\\' -> out.ascii('\\');
            case '\b' -> out.ascii('b');
            case '\f' -> out.ascii('f');
            case '\n' -> out.ascii('n');
            case '\r' -> out.ascii('r');
            case '\t' -> out.ascii('t');
            default -> {
                out.ascii("u00");
                out.ascii(HEX.charAt(c >> 4));
                out.ascii(HEX.charAt(c & 0xf));
            }
        }
    }

    static void number(Utf8Buffer out, long value) {
        if (value < 0 || value > 999_999_999) {
            out.ascii(Long.toString(value));
            return;
        }
        int width = 1;
        for (long bound = 10; value >= bound; bound *= 10) {
            width++;
        }
        out.digits((int) value, width);
    }

    /**
     * Whatever a key-value pair may hold: numbers and truth values keep their type, null stays null, all else is its
     * text. A value whose {@code toString} fails is named by its class, so that a line never fails for it.
     */
    static void value(Utf8Buffer out, Object value) {
        switch (value) {
            case null -> out.ascii("null");
            case String text -> string(out, text);
            case Boolean truth -> out.ascii(truth ? "true" : "false");
            case Integer number -> number(out, number.longValue());
            case Long number -> number(out, number);
            case Double number -> number(out, number);
            case Float number -> number(out, number.doubleValue());
            case Short number -> number(out, number.longValue());
            case Byte number -> number(out, number.longValue());
            case BigInteger number when fits(number) -> out.ascii(number.toString());
            case BigDecimal number -> out.ascii(number.toString());
            default -> string(out, text(value));
        }
    }

    /** As in the reference, numbers beyond 64 bits are text. */
    private static boolean fits(BigInteger number) {
        return number.compareTo(UNSIGNED_MAX) <= 0 && number.compareTo(SIGNED_MIN) >= 0;
    }

    /** The text of any value, arrays by their elements; says so if {@code toString} fails. */
    static String text(Object value) {
        try {
            String text = switch (value) {
                case null -> "null";
                case Object[] array -> Arrays.deepToString(array);
                case byte[] array -> Arrays.toString(array);
                case short[] array -> Arrays.toString(array);
                case int[] array -> Arrays.toString(array);
                case long[] array -> Arrays.toString(array);
                case float[] array -> Arrays.toString(array);
                case double[] array -> Arrays.toString(array);
                case char[] array -> Arrays.toString(array);
                case boolean[] array -> Arrays.toString(array);
                default -> value.toString();
            };
            return String.valueOf(text);
        } catch (RuntimeException | Error e) {
            return "<toString() of " + value.getClass().getName() + " failed with "
                    + e.getClass().getName() + ">";
        }
    }

    /**
     * The shortest digits that read back as the same number, fixed-point for exponents from -5 to 15, else scientific
     * with a signed exponent; infinite and NaN are null.
     */
    static void number(Utf8Buffer out, double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            out.ascii("null");
            return;
        }
        double magnitude = Math.abs(value);
        if (magnitude == 0 || (magnitude >= 1e-3 && magnitude < 1e7)) {
            // Here the JDK writes the same text.
            out.ascii(Double.toString(value));
            return;
        }
        String text = decimal(magnitude);
        int e = text.indexOf('E');
        String mantissa = e < 0 ? text : text.substring(0, e);
        int point = mantissa.indexOf('.');
        String digits = mantissa.substring(0, point) + mantissa.substring(point + 1);
        int exponent = point - 1 + (e < 0 ? 0 : Integer.parseInt(text.substring(e + 1)));
        int first = 0;
        while (first < digits.length() - 1 && digits.charAt(first) == '0') {
            first++;
        }
        int last = digits.length();
        while (last > first + 1 && digits.charAt(last - 1) == '0') {
            last--;
        }
        if (value < 0) {
            out.ascii('-');
        }
        write(out, digits.substring(first, last), exponent - first);
    }

    /**
     * The JDK never prints fewer than two digits. That matters below the normal range alone: only there does one digit
     * often identify the number, and is not the first of the two.
     */
    private static String decimal(double magnitude) {
        String text = Double.toString(magnitude);
        if (magnitude >= Double.MIN_NORMAL) {
            return text;
        }
        BigDecimal rounded = new BigDecimal(text).round(new MathContext(1));
        return rounded.doubleValue() == magnitude ? rounded.unscaledValue() + ".0E" + -rounded.scale() : text;
    }

    private static void write(Utf8Buffer out, String digits, int exponent) {
        int length = digits.length();
        if (exponent < -5 || exponent > 15) {
            out.ascii(digits.charAt(0));
            if (length > 1) {
                out.ascii('.');
                out.ascii(digits.substring(1));
            }
            out.ascii(exponent < 0 ? "e-" : "e+");
            out.ascii(Integer.toString(Math.abs(exponent)));
        } else if (exponent < 0) {
            out.ascii("0.");
            out.ascii("0".repeat(-exponent - 1));
            out.ascii(digits);
        } else if (length <= exponent + 1) {
            out.ascii(digits);
            out.ascii("0".repeat(exponent + 1 - length));
            out.ascii(".0");
        } else {
            out.ascii(digits.substring(0, exponent + 1));
            out.ascii('.');
            out.ascii(digits.substring(exponent + 1));
        }
    }
}
