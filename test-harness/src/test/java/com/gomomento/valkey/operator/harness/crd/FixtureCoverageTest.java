package com.gomomento.valkey.operator.harness.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.gomomento.valkey.operator.harness.crd.Fixture.Accepted;
import com.gomomento.valkey.operator.harness.crd.Fixture.Refused;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No rule goes untested: each has a fixture that provokes it. */
class FixtureCoverageTest {

    private static final Pattern LITERAL = Pattern.compile("'((?:[^'\\\\]|\\\\.)*)'");

    @ParameterizedTest
    @EnumSource
    void provokesEveryRule(ValkeyKind kind) {
        List<String> refusals = Fixture.all().stream()
                .filter(fixture -> fixture.kind() == kind)
                .flatMap(fixture -> fixture.expected() instanceof Refused refused
                        ? Stream.of(refused.because())
                        : Stream.<String>empty())
                .toList();

        for (JsonNode rules : definition(kind).findValues("x-kubernetes-validations")) {
            for (JsonNode rule : rules) {
                String sentence = sentence(rule);
                assertThat(refusals).as(rule.path("rule").asText()).anyMatch(text -> text.contains(sentence));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void hasCasesOfBothOutcomes(ValkeyKind kind) {
        List<Fixture.Expected> outcomes = Fixture.all().stream()
                .filter(fixture -> fixture.kind() == kind)
                .map(Fixture::expected)
                .toList();

        assertThat(outcomes).hasAtLeastOneElementOfType(Accepted.class).hasAtLeastOneElementOfType(Refused.class);
    }

    @ParameterizedTest
    @EnumSource
    void saysOfEveryRuleWhatIsAllowed(ValkeyKind kind) {
        for (JsonNode rules : definition(kind).findValues("x-kubernetes-validations")) {
            for (JsonNode rule : rules) {
                assertThat(rule.path("message").asText()).isNotBlank();
                assertThat(sentence(rule)).containsAnyOf("allowed", "needed");
            }
        }
    }

    private static JsonNode definition(ValkeyKind kind) {
        return Serialization.unmarshal(
                CustomResourceApi.read(CustomResourceApi.DEFINITIONS.resolve(kind.plural() + ".yaml")), JsonNode.class);
    }

    /** The constant part of a rule's refusal: the longest text in its expression, or its message. */
    private static String sentence(JsonNode rule) {
        if (!rule.has("messageExpression")) {
            return rule.path("message").asText();
        }
        return LITERAL.matcher(rule.path("messageExpression").asText())
                .results()
                .map(match -> match.group(1).replace("\\'", "'"))
                .flatMap(text -> Arrays.stream(text.split("%d")))
                .filter(text -> text.contains("allowed") || text.contains("needed"))
                .max(Comparator.comparingInt(String::length))
                .orElse("");
    }
}
