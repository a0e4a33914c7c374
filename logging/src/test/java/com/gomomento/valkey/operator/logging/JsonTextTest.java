package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JsonTextTest {

    @Test
    void escapesControlCharactersAsTheReferenceDoes() {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < 0x20; c++) {
            all.append(c);
        }
        assertThat(string(all.toString()))
                .isEqualTo(
                        "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
                                + "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c"
                                + "\\u001d\\u001e\\u001f\"");
    }

    @Test
    void leavesAllElseAsItIs() {
        String text = "/'<>&\u007f\u0080\u07ff\u0800\u2028\ufffe\ud83d\ude00\udbff\udfff";
        assertThat(string(text)).isEqualTo('"' + text + '"');
    }

    @Test
    void replacesHalfSurrogatePairs() {
        assertThat(string("a\ud83d")).isEqualTo("\"a\ufffd\"");
        assertThat(string("\ude00b")).isEqualTo("\"\ufffdb\"");
        assertThat(string("\ude00\ud83d")).isEqualTo("\"\ufffd\ufffd\"");
        assertThat(string("\ud83d\ud83d\ude00")).isEqualTo("\"\ufffd\ud83d\ude00\"");
    }

    static Stream<Arguments> values() {
        Object[] itself = {"a", null};
        itself[1] = itself;
        return Stream.of(
                Arguments.of(null, "null"),
                Arguments.of("x", "\"x\""),
                Arguments.of("", "\"\""),
                Arguments.of('c', "\"c\""),
                Arguments.of(true, "true"),
                Arguments.of((byte) -1, "-1"),
                Arguments.of((short) 7, "7"),
                Arguments.of(0, "0"),
                Arguments.of(999_999_999, "999999999"),
                Arguments.of(1_000_000_000, "1000000000"),
                Arguments.of(Integer.MIN_VALUE, "-2147483648"),
                Arguments.of(Long.MAX_VALUE, "9223372036854775807"),
                Arguments.of(0.1f, "0.10000000149011612"),
                Arguments.of(-0.0, "-0.0"),
                Arguments.of(Double.NEGATIVE_INFINITY, "null"),
                Arguments.of(BigInteger.TWO.pow(64), "\"18446744073709551616\""),
                Arguments.of(BigInteger.TWO.pow(63).negate(), "-9223372036854775808"),
                Arguments.of(BigInteger.TWO.pow(64).negate(), "\"-18446744073709551616\""),
                Arguments.of(new BigDecimal("1E+3"), "1E+3"),
                Arguments.of(TimeUnit.SECONDS, "\"SECONDS\""),
                Arguments.of(List.of("a", 1), "\"[a, 1]\""),
                Arguments.of(new int[] {1, 2}, "\"[1, 2]\""),
                Arguments.of(new boolean[] {true}, "\"[true]\""),
                Arguments.of(new byte[] {1}, "\"[1]\""),
                Arguments.of(new char[] {'a'}, "\"[a]\""),
                Arguments.of(new short[] {1}, "\"[1]\""),
                Arguments.of(new long[] {1}, "\"[1]\""),
                Arguments.of(new float[] {1}, "\"[1.0]\""),
                Arguments.of(new double[] {1}, "\"[1.0]\""),
                Arguments.of(new Object[] {"a", new int[] {1}}, "\"[a, [1]]\""),
                Arguments.of(itself, "\"[a, [...]]\""));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("values")
    void keepsTheTypeOfValues(Object value, String json) {
        Utf8Buffer out = new Utf8Buffer(1);
        JsonText.value(out, value);
        assertThat(out).hasToString(json);
    }

    @Test
    void namesAValueWhoseTextCannotBeHad() {
        Object failing = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("secret");
            }
        };
        List<Object> endless = new java.util.ArrayList<>();
        endless.add(Collections.unmodifiableList(endless));

        assertThat(JsonText.text(failing))
                .isEqualTo("<toString() of " + failing.getClass().getName()
                        + " failed with java.lang.IllegalStateException>");
        assertThat(JsonText.text(endless)).endsWith("failed with java.lang.StackOverflowError>");
        assertThat(JsonText.text(new Nameless())).isEqualTo("null");
    }

    @Test
    void fillsArgumentsAsSlf4jDoes() {
        Object[][] arguments = {{}, {"x"}, {"x", 2}, {null, new int[] {1}, "z"}};
        for (String pattern : List.of(
                "",
                "{}",
                "a {} b {} c",
                "\\{}",
                "a \\{} {}",
                "\\\\{} {}",
                "{",
                "}{",
                "{}{}{}{}",
                "\\",
                "{}\\",
                "{\\}")) {
            for (Object[] values : arguments) {
                assertThat(MessageText.fill(pattern, values))
                        .as("%s with %s", pattern, Arrays.toString(values))
                        .isEqualTo(org.slf4j.helpers.MessageFormatter.basicArrayFormat(pattern, values));
            }
        }
    }

    /** Its text is null, which no one should do and someone does. */
    private static final class Nameless {
        @Override
        @SuppressWarnings({"NullAway", "ToStringReturnsNull"}) // The point of the test.
        public String toString() {
            return null;
        }
    }

    private static String string(String text) {
        Utf8Buffer out = new Utf8Buffer(1);
        JsonText.string(out, text);
        return out.toString();
    }
}
