package com.gomomento.valkey.operator.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever stands in an object, reading it ends with a value or a sentence, never with an exception. */
class RubbishTest {

    private static final int ROUNDS = 500;
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    @ParameterizedTest
    @EnumSource
    void neverThrows(ValkeyKind kind) {
        Random random = new Random(42);
        Schema schema = Schema.of(kind);
        int unusable = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, Object> content = new LinkedHashMap<>();
            for (String section : schema.sections()) {
                content.put(section, spoiled(schema.example(section), random));
            }
            CustomObject object = new CustomObject("b", "a", "u", 1, false, content);
            Optional<String> problem = SchemaTest.problem(kind, object);
            if (problem.isPresent()) {
                unusable++;
                assertThat(problem.get()).isNotBlank().doesNotContain("\n");
            }
            if (kind == ValkeyKind.CLUSTER) {
                assertThat(ResourceEncoder.clusterStatus(SchemaTest.STATUS, object, NOW))
                        .containsKey("conditions");
            }
        }
        assertThat(unusable).isBetween(ROUNDS / 10, ROUNDS);
    }

    /** {@code value}, with some of its parts replaced by rubbish. */
    private static Object spoiled(Object value, Random random) {
        if (random.nextInt(20) == 0) {
            return rubbish(random);
        }
        return switch (value) {
            case Map<?, ?> map -> {
                Map<Object, Object> spoiled = new LinkedHashMap<>();
                map.forEach((key, part) -> {
                    Object rest = spoiled(part, random);
                    spoiled.put(key, rest.equals("nothing") ? null : rest);
                });
                yield spoiled;
            }
            case List<?> list -> {
                List<Object> spoiled = new ArrayList<>();
                list.forEach(part -> spoiled.add(spoiled(part, random)));
                if (random.nextInt(10) == 0) {
                    spoiled.add(null);
                }
                yield spoiled;
            }
            default -> value;
        };
    }

    private static Object rubbish(Random random) {
        Object[] choices = {
            "nothing",
            "",
            " ",
            "text",
            -1,
            0,
            Integer.MAX_VALUE,
            Long.MIN_VALUE,
            BigInteger.TWO.pow(80),
            0.5,
            1e300,
            true,
            List.of(),
            List.of(List.of(1)),
            Map.of(),
            Map.of("name", Map.of("name", "x")),
            "2026-13-45T99:00:00Z",
        };
        return choices[random.nextInt(choices.length)];
    }
}
