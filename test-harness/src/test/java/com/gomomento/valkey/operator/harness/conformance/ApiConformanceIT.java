package com.gomomento.valkey.operator.harness.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Bind;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Create;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Delete;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Fail;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Manner;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Named;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Run;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Write;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The model of the API server and the real one, asked the same, answer the same and tell watches the same. What is not
 * compared, and why:
 *
 * <ul>
 *   <li>words of refusals and numbers of versions: nothing is decided by them, only by kinds of refusals and by whether a
 *       request made a new version;
 *   <li>{@code creationTimestamp}: a matter of the clock;
 *   <li>versions of PodDisruptionBudgets, and events in which nothing of theirs changed: a controller of Kubernetes' own writes
 *       their status when it comes to it;
 *   <li>the order in which the garbage collector comes to different objects: chance;
 *   <li>finalizers, deletion in the foreground and by orphaning: nobody in a simulated world asks for them;
 *   <li>watches with a label selector: nobody in a simulated world takes labels away; {@code WatchesIT} holds the adapter
 *       against it;
 *   <li>an apply that names other fields than the one before: the operator's names the same each time;
 *   <li>ValkeyConfigs and ValkeyImages: their users write them as they write ValkeyClusters.
 * </ul>
 */
@Execution(ExecutionMode.CONCURRENT)
class ApiConformanceIT {

    private static final int STEPS = 60;
    private static final Optional<String> C0 = Optional.of("c0");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void generatedRequestsAreAnsweredAlike(long seed) {
        ApiModelSide model = new ApiModelSide(seed);
        try (ApiRealSide real = new ApiRealSide()) {
            ApiComparison comparison = new ApiComparison(model, real);
            ApiGenerator generator = new ApiGenerator(seed, model);
            List<ApiRequest> asked = new ArrayList<>();
            for (int step = 0; step < STEPS && comparison.differences().isEmpty(); step++) {
                ApiRequest next = generator.next();
                asked.add(next);
                comparison.ask(next);
            }
            comparison.look();
            assertThat(comparison.differences())
                    .as("differences between model and real API server after %s", asked)
                    .isEmpty();
        }
    }

    private static void same(ApiRequest... requests) {
        ApiModelSide model = new ApiModelSide(1);
        try (ApiRealSide real = new ApiRealSide()) {
            ApiComparison comparison = new ApiComparison(model, real);
            for (ApiRequest request : requests) {
                comparison.ask(request);
            }
            comparison.look();
            assertThat(comparison.differences()).isEmpty();
        }
    }

    @Test
    void aRunningPodThatIsDeletedStaysUntilItsKubeletEndsIt() {
        same(
                new Create(Kind.CLUSTER, "c0", Optional.empty(), 0),
                new Create(Kind.POD, "a0", C0, 0),
                new Bind("a0"),
                new Run("a0"),
                new Delete(Kind.POD, "a0", Named.WRONG, 30),
                new Delete(Kind.POD, "a0", Named.RIGHT, 30),
                new Delete(Kind.POD, "a0", Named.RIGHT, 30),
                new Create(Kind.POD, "a0", C0, 1),
                new Write(Kind.POD, "a0", Manner.MERGE, 2, Named.RIGHT, Named.NOTHING),
                new Fail("a0"),
                new Delete(Kind.POD, "a0", Named.RIGHT, 0),
                new Create(Kind.POD, "a0", C0, 1));
    }

    @Test
    void aPodThatWasNeverBoundOrHasEndedGoesAtOnce() {
        same(
                new Create(Kind.POD, "a0", Optional.empty(), 0),
                new Delete(Kind.POD, "a0", Named.RIGHT, 30),
                new Create(Kind.POD, "a0", Optional.empty(), 0),
                new Bind("a0"),
                new Fail("a0"),
                new Delete(Kind.POD, "a0", Named.RIGHT, 30));
    }

    @Test
    void whatIsBeingDeletedCanOnlyBeGivenLessTime() {
        same(
                new Create(Kind.POD, "a0", Optional.empty(), 0),
                new Bind("a0"),
                new Delete(Kind.POD, "a0", Named.RIGHT, 5),
                new Delete(Kind.POD, "a0", Named.RIGHT, 30),
                new Delete(Kind.POD, "a0", Named.RIGHT, 2),
                new Fail("a0"),
                new Delete(Kind.POD, "a0", Named.NOTHING, 2),
                new Delete(Kind.POD, "a0", Named.RIGHT, 0),
                new Delete(Kind.POD, "a0", Named.RIGHT, 0));
    }

    @Test
    void anObjectThatTakesANameOverIsAnother() {
        same(
                new Delete(Kind.NODE, "a0", Named.RIGHT, 0),
                new Create(Kind.NODE, "a0", Optional.empty(), 0),
                new Create(Kind.NODE, "a0", Optional.empty(), 1),
                new Write(Kind.NODE, "a0", Manner.STATUS, 1, Named.RIGHT, Named.NOTHING),
                new Delete(Kind.NODE, "a0", Named.WRONG, 0),
                new Delete(Kind.NODE, "a0", Named.RIGHT, 30),
                new Delete(Kind.NODE, "a0", Named.RIGHT, 0),
                new Write(Kind.NODE, "a0", Manner.STATUS, 2, Named.RIGHT, Named.NOTHING),
                new Write(Kind.NODE, "a0", Manner.MERGE, 2, Named.RIGHT, Named.NOTHING),
                new Create(Kind.NODE, "a0", Optional.empty(), 2));
    }

    /** Of a patch of a status, the UID is not looked at; only a version keeps it from another object of that name. */
    @Test
    void aStatusIsWrittenWhateverUidIsNamedUnlessTheVersionIsAnother() {
        for (Kind kind : List.of(Kind.CLUSTER, Kind.NODE)) {
            same(
                    new Create(kind, "a0", Optional.empty(), 0),
                    new Write(kind, "a0", Manner.STATUS, 1, Named.WRONG, Named.NOTHING),
                    new Write(kind, "a0", Manner.STATUS, 2, Named.RIGHT, Named.WRONG),
                    new Write(kind, "a0", Manner.STATUS, 2, Named.WRONG, Named.RIGHT),
                    new Write(kind, "a0", Manner.STATUS, 2, Named.RIGHT, Named.RIGHT),
                    new Write(kind, "a0", Manner.MERGE, 2, Named.WRONG, Named.NOTHING));
        }
    }

    @Test
    void onlyAChangeOfTheWishIsANewGenerationAndNoChangeIsNoVersion() {
        same(
                new Create(Kind.CLUSTER, "c0", Optional.empty(), 0),
                new Write(Kind.CLUSTER, "c0", Manner.MERGE, 1, Named.NOTHING, Named.RIGHT),
                new Write(Kind.CLUSTER, "c0", Manner.MERGE, 1, Named.NOTHING, Named.RIGHT),
                new Write(Kind.CLUSTER, "c0", Manner.STATUS, 1, Named.NOTHING, Named.RIGHT),
                new Write(Kind.CLUSTER, "c0", Manner.STATUS, 1, Named.NOTHING, Named.NOTHING),
                new Write(Kind.CLUSTER, "c0", Manner.MERGE, 2, Named.NOTHING, Named.WRONG),
                new Write(Kind.CLUSTER, "c0", Manner.MERGE, 2, Named.NOTHING, Named.NOTHING));
    }

    @Test
    void anApplyThatTakesFieldsOverIsAVersionAndTheSameAgainIsNone() {
        for (Kind kind : List.of(Kind.SERVICE, Kind.CONFIG_MAP, Kind.SECRET)) {
            same(
                    new Write(kind, "a0", Manner.APPLY, 0, Named.RIGHT, Named.NOTHING),
                    new Create(kind, "a0", Optional.empty(), 0),
                    new Write(kind, "a0", Manner.APPLY, 0, Named.RIGHT, Named.NOTHING),
                    new Write(kind, "a0", Manner.APPLY, 0, Named.RIGHT, Named.NOTHING),
                    new Write(kind, "a0", Manner.MERGE, 1, Named.RIGHT, Named.NOTHING),
                    new Write(kind, "a0", Manner.APPLY, 1, Named.RIGHT, Named.NOTHING),
                    new Write(kind, "a0", Manner.APPLY, 1, Named.WRONG, Named.NOTHING),
                    new Write(kind, "a0", Manner.APPLY, 2, Named.RIGHT, Named.NOTHING));
        }
    }

    @Test
    void whatAClusterOwnedIsCollectedAndSoIsWhatIsMadeForItLater() {
        List<ApiRequest> requests = new ArrayList<>(List.of(
                new Create(Kind.CLUSTER, "c0", Optional.empty(), 0), new Create(Kind.POD, "a1", Optional.empty(), 0)));
        for (Kind kind : ApiRealSide.KINDS) {
            if (kind != Kind.CLUSTER) {
                requests.add(new Create(kind, "a0", C0, 0));
            }
        }
        requests.addAll(List.of(
                new Create(Kind.POD, "b0", C0, 0),
                new Bind("b0"),
                new Delete(Kind.CLUSTER, "c0", Named.WRONG, 0),
                new Delete(Kind.CLUSTER, "c0", Named.RIGHT, 30),
                new Create(Kind.SECRET, "a0", C0, 1),
                new Create(Kind.CLUSTER, "c0", Optional.empty(), 1),
                new Create(Kind.SECRET, "a0", C0, 2)));
        same(requests.toArray(ApiRequest[]::new));
    }

    @Test
    void aQuotaRefusesPodsBeforeAnythingElseAndCountsThoseThatHaveNotEnded() {
        ApiModelSide model = new ApiModelSide(1);
        try (ApiRealSide real = new ApiRealSide()) {
            ApiComparison comparison = new ApiComparison(model, real);
            // The fence is one more.
            model.limitPods(1);
            real.limitPods(2);
            real.awaitPodsCounted(1);
            comparison.ask(new Create(Kind.POD, "a0", Optional.empty(), 0));
            comparison.ask(new Bind("a0"));
            comparison.ask(new Create(Kind.POD, "a1", Optional.empty(), 0));
            comparison.ask(new Create(Kind.POD, "a0", Optional.empty(), 0));
            comparison.ask(new Fail("a0"));
            real.awaitPodsCounted(1);
            comparison.ask(new Create(Kind.POD, "a1", Optional.empty(), 0));
            comparison.ask(new Bind("a1"));
            comparison.ask(new Run("a1"));
            comparison.ask(new Delete(Kind.POD, "a1", Named.RIGHT, 30));
            comparison.ask(new Create(Kind.POD, "a2", Optional.empty(), 0));
            comparison.look();
            assertThat(comparison.differences()).isEmpty();
        }
    }

    /**
     * Which is why a watch in the model that loses its thread lists anew. Of a custom resource nothing is kept that is older
     * than its definition; of pods all is kept for the API server's first minutes.
     */
    @Test
    void aWatchCanNotBeTakenUpFromHistoryThatIsNoLongerKept() {
        try (ApiRealSide real = new ApiRealSide()) {
            assertThat(real.watchCode(Kind.CLUSTER, "1")).isEqualTo(410);
        }
    }
}
