package com.gomomento.valkey.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A status is written only over the one that it was decided from. */
class StatusWriterTest {

    private static final Pace QUICK = new Pace(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(1));
    private static final ClusterDeclaration OWNER = Fixtures.declaration();

    private final Mirror mirror = new Mirror();
    private final FakeApiServer server;
    private final ApiServer api;
    private final StatusWriter writer;

    /** What the API server has. */
    private KubeObject stored = cluster(1, Map.of());

    private boolean forbidden;
    private int patches;

    StatusWriterTest() throws IOException {
        server = new FakeApiServer(this::answer);
        api = new ApiServer(server.config(), QUICK);
        writer = new StatusWriter(new OwnedWriter(api, mirror), mirror, () -> Instant.parse("2026-11-30T12:00:00Z"));
        mirrorSees(stored);
    }

    @AfterEach
    void close() {
        api.close();
        server.close();
    }

    private static KubeObject cluster(int version, Object status) {
        return new KubeObject(Map.of(
                "metadata",
                Map.of(
                        "namespace", OWNER.key().namespace(),
                        "name", OWNER.key().name(),
                        "uid", OWNER.uid(),
                        "generation", 1L,
                        "resourceVersion", Integer.toString(version)),
                "spec",
                Map.of("configRef", "production", "shards", 3L, "replicasPerShard", 1L),
                "status",
                status));
    }

    private void mirrorSees(KubeObject object) {
        mirror.clusters.written(object, System.nanoTime());
    }

    /** Takes a patch as the real one does: a resourceVersion in it must be the latest. */
    private void answer(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("PATCH")) {
            patches++;
            KubeObject patch =
                    new KubeObject(Json.read(exchange.getRequestBody().readAllBytes()));
            if (forbidden) {
                FakeApiServer.json(exchange, 403, FakeApiServer.status(403, "Forbidden", "not allowed"));
                return;
            }
            if (!patch.resourceVersion().equals(stored.resourceVersion())) {
                FakeApiServer.json(
                        exchange, 409, FakeApiServer.status(409, "Conflict", "the object has been modified"));
                return;
            }
            stored = cluster(
                    Integer.parseInt(stored.resourceVersion()) + 1,
                    patch.at("status").fields());
        }
        FakeApiServer.json(exchange, 200, new String(Json.write(stored.fields()), StandardCharsets.UTF_8));
    }

    private String message() {
        return stored.at("status").text("message").orElse("");
    }

    private static ClusterStatus status(String message) {
        return new ClusterStatus(
                ClusterState.CREATING,
                message,
                1,
                List.of(),
                0,
                List.of(),
                0,
                6,
                0,
                Optional.of("9.1.2"),
                "orders.shop.svc.cluster.local:6379");
    }

    private ActionResult publish(Optional<ClusterStatus> observed, String message) {
        return writer.publish(OWNER, observed, status(message));
    }

    @Test
    void theFirstStatusIsWrittenAndTheSameAgainIsNot() {
        assertThat(publish(Optional.empty(), "waits")).isEqualTo(new ActionResult.Applied());
        assertThat(message()).isEqualTo("waits");
        assertThat(publish(Optional.of(status("waits")), "waits")).isEqualTo(new ActionResult.AlreadyDone());
        assertThat(publish(Optional.of(status("waits")), "works")).isEqualTo(new ActionResult.Applied());
        assertThat(message()).isEqualTo("works");
        assertThat(patches).isEqualTo(2);
    }

    /** Another operator wrote, and the watch has told: what was decided before must not be written after. */
    @Test
    void aDecisionFromAnOldStatusDoesNotReplaceANewOneThatIsKnown() {
        publish(Optional.empty(), "waits");
        publish(Optional.of(status("waits")), "is active");
        assertThat(publish(Optional.of(status("waits")), "late")).isInstanceOf(ActionResult.Rejected.class);
        assertThat(message()).isEqualTo("is active");
        assertThat(patches).isEqualTo(2);
    }

    /** The same before the watch has told: the API server refuses the version, and the new status is read. */
    @Test
    void aDecisionFromAnOldStatusDoesNotReplaceANewOneThatIsNotYetKnown() {
        publish(Optional.empty(), "waits");
        Map<String, Object> theirs = new TreeMap<>(stored.at("status").fields());
        theirs.put("message", "is active");
        stored = cluster(77, theirs);
        assertThat(publish(Optional.of(status("waits")), "late")).isInstanceOf(ActionResult.Rejected.class);
        assertThat(message()).isEqualTo("is active");
        assertThat(stored.resourceVersion()).isEqualTo("77");
    }

    @Test
    void aChangeOfTheWishAloneKeepsNoStatusFromBeingWritten() {
        publish(Optional.empty(), "waits");
        stored = cluster(77, stored.at("status").fields());
        assertThat(publish(Optional.of(status("waits")), "works")).isEqualTo(new ActionResult.Applied());
        assertThat(message()).isEqualTo("works");
        assertThat(stored.resourceVersion()).isEqualTo("78");
    }

    @Test
    void aRefusalForAnotherReasonIsToldAsItIs() {
        forbidden = true;
        assertThat(publish(Optional.empty(), "waits")).isEqualTo(new ActionResult.Rejected("not allowed"));
        assertThat(patches).isEqualTo(1);
    }
}
