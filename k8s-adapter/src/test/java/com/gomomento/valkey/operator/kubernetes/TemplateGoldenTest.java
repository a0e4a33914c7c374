package com.gomomento.valkey.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.plan.Markers;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Every object that the operator makes, whole. A change of one of these files is a change of what users get: pods that are
 * there keep the old template until they are replaced.
 */
class TemplateGoldenTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void podThatMayRunAnywhere() throws IOException {
        assertGolden(
                "pod.json", PodTemplate.pod(Fixtures.declaration(), Fixtures.member(Placement.ANYWHERE, Map.of())));
    }

    @Test
    void podWithEveryWishAboutItsPlace() throws IOException {
        Placement placement = new Placement(
                List.of("eu-1a", "eu-1b"),
                ZoneSpread.REQUIRED,
                new TreeMap<>(Map.of("pool", "caches")),
                List.of(new Toleration(
                        Optional.of("dedicated"),
                        Optional.of("Equal"),
                        Optional.of("caches"),
                        Optional.of("NoExecute"),
                        OptionalLong.of(60))));
        Map<String, String> annotations = Map.of("team", "shop", Markers.TEMPLATE, "not the user's to set");

        assertGolden(
                "pod-placed.json", PodTemplate.pod(Fixtures.declaration(), Fixtures.member(placement, annotations)));
    }

    @Test
    void node() throws IOException {
        assertGolden(
                "node.json", OwnedObjects.node(Fixtures.declaration(), Fixtures.member(Placement.ANYWHERE, Map.of())));
    }

    @Test
    void service() throws IOException {
        assertGolden("service.json", OwnedObjects.service(Fixtures.declaration()));
    }

    @Test
    void disruptionBudget() throws IOException {
        assertGolden("disruption-budget.json", OwnedObjects.disruptionBudget(Fixtures.declaration(), 5));
    }

    @Test
    void serverConfig() throws IOException {
        assertGolden("config-map.json", OwnedObjects.serverConfig(Fixtures.declaration(), "port 6379\n"));
    }

    @Test
    void accessSecret() throws IOException {
        AclFile file = new AclFile("user default on nopass\n", "primaryuser _replication\n");

        assertGolden("access-secret.json", OwnedObjects.access(Fixtures.declaration(), file));
    }

    @Test
    void credentialsSecret() throws IOException {
        Credentials credentials = new Credentials(SecretText.of("operator's"), SecretText.of("replication's"));

        assertGolden("internal-secret.json", OwnedObjects.credentials(Fixtures.declaration(), credentials));
    }

    @Test
    void whatWasMadeIsRecognised() {
        KubeObject service = new KubeObject(OwnedObjects.service(Fixtures.declaration()));
        KubeObject budget = new KubeObject(OwnedObjects.disruptionBudget(Fixtures.declaration(), 5));

        assertThat(Readers.service(service).asMade()).isTrue();
        assertThat(Readers.budget(budget).minAvailable()).hasValue(5);
    }

    private static void assertGolden(String file, Map<String, Object> object) throws IOException {
        JsonNode actual = JSON.readTree(Json.write(object));
        try (InputStream golden = TemplateGoldenTest.class.getResourceAsStream("/golden/" + file)) {
            assertThat(golden)
                    .as("src/test/resources/golden/%s; it should hold:%n%s", file, actual.toPrettyString())
                    .isNotNull();
            assertThat(actual.toPrettyString()).isEqualTo(JSON.readTree(golden).toPrettyString());
        }
    }
}
