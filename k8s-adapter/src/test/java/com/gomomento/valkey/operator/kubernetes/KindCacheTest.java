package com.gomomento.valkey.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.kubernetes.KindCache.Change;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Own writes are seen at once, and what a lagging watch still has to tell does not undo them. */
class KindCacheTest {

    private static final ObjectName NAME = new ObjectName("shop", "orders-config");

    private final KindCache<String> cache = new KindCache<>(
            ResourceKind.CONFIG_MAP, object -> object.at("data").text("value").orElse(""));

    @Test
    void aWriteIsSeenBeforeTheWatchTellsOfIt() {
        cache.written(object("u1", 10, "new"), 1);

        assertThat(value()).contains("new");
    }

    @Test
    void anEventFromBeforeTheWriteUndoesNothing() {
        cache.observed(cached("u1", 5, "old"));
        cache.written(object("u1", 10, "new"), 1);

        cache.observed(cached("u1", 9, "older"));

        assertThat(value()).contains("new");
    }

    /** A user's edit that slipped in just before our write of the same object must wake the loop all the same. */
    @Test
    void aForeignChangeThatOurWriteGaveBackIsStillNews() {
        cache.observed(cached("u1", 5, "old"));
        cache.written(object("u1", 10, "theirs and ours"), 1);

        assertThat(cache.observed(cached("u1", 9, "theirs"))).isPresent();
        assertThat(cache.observed(cached("u1", 10, "theirs and ours"))).isEmpty();
    }

    @Test
    void theEventOfTheWriteItselfIsNoChange() {
        cache.written(object("u1", 10, "new"), 1);

        assertThat(cache.observed(cached("u1", 10, "new"))).isEmpty();
    }

    @Test
    void aLaterEventWins() {
        cache.written(object("u1", 10, "new"), 1);

        assertThat(cache.observed(cached("u1", 11, "newer"))).isPresent();
        assertThat(value()).contains("newer");
    }

    @Test
    void anAnswerThatComesAfterALaterEventIsPassedOver() {
        cache.observed(cached("u1", 11, "newer"));
        cache.written(object("u1", 10, "new"), 1);

        assertThat(value()).contains("newer");
    }

    @Test
    void afterTheWriteIsConfirmedTheWatchIsTakenAsItComesEvenIfVersionsTurnBack() {
        cache.written(object("u1", 10, "new"), 1);
        cache.observed(cached("u1", 10, "new"));

        assertThat(cache.observed(cached("u1", 3, "from a restored backup"))).isPresent();
        assertThat(value()).contains("from a restored backup");
    }

    @Test
    void whatWasDeletedByUsIsNotBroughtBackByALateEvent() {
        cache.observed(cached("u1", 5, "old"));
        cache.knownGone(NAME, "u1", 1);

        assertThat(cache.observed(cached("u1", 9, "late"))).isEmpty();
        assertThat(value()).isEmpty();
    }

    @Test
    void whatIsGoneIsNotBroughtBackByALateAnswer() {
        cache.observed(cached("u1", 5, "old"));
        assertThat(cache.observedGone(NAME, "u1", 1)).isPresent();

        cache.written(object("u1", 4, "late"), 2);

        assertThat(value()).isEmpty();
    }

    @Test
    void anObjectThatGetsItsLabelBackIsSeenAgain() {
        cache.observed(cached("u1", 5, "old"));
        cache.observedGone(NAME, "u1", 1);

        assertThat(cache.observed(cached("u1", 8, "back"))).isPresent();
        assertThat(value()).contains("back");
    }

    @Test
    void theEndOfAnEarlierObjectDoesNotTakeAwayItsSuccessor() {
        cache.written(object("u2", 10, "successor"), 1);

        assertThat(cache.observedGone(NAME, "u1", 2)).isEmpty();
        assertThat(value()).contains("successor");
    }

    @Test
    void aListReplacesAllButWritesThatItCouldNotKnowOf() {
        cache.observed(cached("u1", 5, "old"));
        cache.written(named("late-write", "u2", 20, "kept"), 200);
        cache.written(named("early-write", "u3", 6, "dropped"), 50);

        List<Change<String>> changes = cache.listed(List.of(), 100);

        assertThat(changes).hasSize(2);
        assertThat(cache.all()).extracting(object -> object.value()).containsExactly("kept");
    }

    @Test
    void aListFromBeforeADeleteDoesNotBringTheObjectBack() {
        cache.observed(cached("u1", 5, "old"));
        cache.knownGone(NAME, "u1", 200);

        cache.listed(List.of(cached("u1", 5, "old")), 100);

        assertThat(value()).isEmpty();
    }

    @Test
    void aListFromAfterADeleteIsBelieved() {
        cache.knownGone(NAME, "u1", 50);

        cache.listed(List.of(cached("u1", 5, "there after all")), 100);

        assertThat(value()).contains("there after all");
    }

    @Test
    void aListFromBeforeAWriteDoesNotUndoIt() {
        cache.written(object("u1", 10, "new"), 200);

        cache.listed(List.of(cached("u1", 9, "old")), 100);

        assertThat(value()).contains("new");
    }

    @Test
    void objectsAreFoundByTheUidOfTheirOwnerUntilItChanges() {
        cache.observed(owned("u1", 5, "cluster-1"));
        assertThat(cache.ownedBy("cluster-1")).hasSize(1);

        cache.observed(owned("u1", 6, "cluster-2"));

        assertThat(cache.ownedBy("cluster-1")).isEmpty();
        assertThat(cache.ownedBy("cluster-2")).hasSize(1);
        cache.observedGone(NAME, "u1", 1);
        assertThat(cache.ownedBy("cluster-2")).isEmpty();
    }

    private Optional<String> value() {
        return cache.get(NAME).map(Cached::value);
    }

    private Cached<String> cached(String uid, int version, String value) {
        return cache.read(object(uid, version, value));
    }

    private Cached<String> owned(String uid, int version, String clusterUid) {
        KubeObject plain = object(uid, version, "");
        Map<String, Object> metadata = new TreeMap<>(plain.metadata().fields());
        metadata.put(
                "ownerReferences",
                List.of(Map.of(
                        "apiVersion", "valkey.gomomento.com/v1alpha1",
                        "kind", "ValkeyCluster",
                        "name", "orders",
                        "uid", clusterUid,
                        "controller", true)));
        return cache.read(new KubeObject(Map.of("metadata", metadata)));
    }

    private static KubeObject object(String uid, int version, String value) {
        return named(NAME.name(), uid, version, value);
    }

    private static KubeObject named(String name, String uid, int version, String value) {
        return new KubeObject(Map.of(
                "metadata",
                Map.of(
                        "namespace",
                        NAME.namespace(),
                        "name",
                        name,
                        "uid",
                        uid,
                        "resourceVersion",
                        Integer.toString(version)),
                "data",
                Map.of("value", value)));
    }
}
