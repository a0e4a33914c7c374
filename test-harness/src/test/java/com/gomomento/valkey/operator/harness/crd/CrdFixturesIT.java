package com.gomomento.valkey.operator.harness.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.gomomento.valkey.operator.harness.crd.Fixture.Accepted;
import com.gomomento.valkey.operator.harness.crd.Fixture.Refused;
import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule of the schemas, on a real API server: what it takes, what it refuses, and in which words. */
class CrdFixturesIT {

    private static CustomResourceApi api;

    @BeforeAll
    static void connect() {
        api = CustomResourceApi.connect();
    }

    @AfterAll
    static void disconnect() {
        api.close();
    }

    static List<Fixture> fixtures() {
        return Fixture.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fixtures")
    void behavesAsWritten(Fixture fixture) {
        Optional<GenericKubernetesResource> existing = fixture.before()
                .map(spec -> api.create(api.object(fixture.kind(), name(fixture), spec), fixture.kind()));
        try {
            check(fixture, attempt(fixture, existing));
        } finally {
            existing.ifPresent(object -> api.delete(object, fixture.kind()));
        }
    }

    /** What the server said. */
    private sealed interface Answer {
        record Taken(GenericKubernetesResource stored) implements Answer {}

        record NotTaken(KubernetesClientException refusal) implements Answer {}
    }

    private static Answer attempt(Fixture fixture, Optional<GenericKubernetesResource> existing) {
        ValkeyKind kind = fixture.kind();
        try {
            if (fixture.status().isPresent()) {
                return new Answer.Taken(api.mergeStatus(
                        existing.orElseThrow(), kind, fixture.status().get()));
            }
            Map<String, Object> spec = fixture.spec().orElseThrow();
            return new Answer.Taken(
                    existing.isPresent()
                            ? api.tryReplaceSpec(existing.get(), kind, spec)
                            : api.tryCreate(api.object(kind, name(fixture), spec), kind));
        } catch (KubernetesClientException e) {
            return new Answer.NotTaken(e);
        }
    }

    private static void check(Fixture fixture, Answer answer) {
        switch (answer) {
            case Answer.Taken(GenericKubernetesResource stored) -> {
                switch (fixture.expected()) {
                    case Accepted(Map<String, Object> expected) -> assertStands("spec", stored.get("spec"), expected);
                    case Refused _ -> fail("was taken: " + fixture);
                }
            }
            case Answer.NotTaken(KubernetesClientException refusal) -> {
                switch (fixture.expected()) {
                    case Accepted _ -> fail("was refused: " + refusal.getMessage());
                    case Refused refused -> assertRefused(refused, refusal);
                }
            }
        }
    }

    private static void assertRefused(Refused expected, KubernetesClientException refusal) {
        assertThat(refusal.getStatus().getReason()).as(refusal.getMessage()).isEqualTo("Invalid");
        assertThat(refusal.getStatus().getDetails().getCauses())
                .as(refusal.getMessage())
                .anySatisfy((StatusCause cause) -> {
                    assertThat(Optional.ofNullable(cause.getField()).orElse("").replace("<nil>", ""))
                            .isEqualTo(expected.field());
                    assertThat(cause.getMessage()).contains(expected.because());
                });
        expected.unsaid()
                .ifPresent(text -> assertThat(refusal.getStatus().getMessage()).doesNotContain(text));
    }

    private static void assertStands(String path, Object actual, Object expected) {
        if (expected instanceof Map<?, ?> fields && actual instanceof Map<?, ?> stored) {
            fields.forEach((name, value) -> assertStands(
                    path + "." + name,
                    Optional.<Object>ofNullable(stored.get(name)).orElse("nothing"),
                    value));
        } else {
            assertThat(actual).as(path).isEqualTo(expected);
        }
    }

    private static String name(Fixture fixture) {
        return fixture.name().orElseGet(api::freshName);
    }
}
