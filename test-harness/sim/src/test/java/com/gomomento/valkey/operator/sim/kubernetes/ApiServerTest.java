package com.gomomento.valkey.operator.sim.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ApiServerTest {

    private static final ClusterKey CLUSTER = new ClusterKey("shop", "cache");
    private static final ObjectKey CLUSTER_KEY = ObjectKey.cluster(CLUSTER);
    private static final ObjectKey POD = ObjectKey.pod(CLUSTER, new NodeName("cache-00001"));

    private final Timeline timeline = new Timeline();
    private final ApiServer api = new ApiServer(timeline, new Dice(1));
    private final List<String> stopped = new ArrayList<>();
    private final Containers containers = new Containers() {
        @Override
        public Optional<PodView.Exit> start(String ip, Stored pod, String serverConfig) {
            return serverConfig.contains("bogus")
                    ? Optional.of(new PodView.Exit("Error", Optional.of(1), "Bad directive"))
                    : Optional.empty();
        }

        @Override
        public void stop(String ip) {
            stopped.add(ip);
        }
    };
    private final Machines machines = new Machines(api, timeline, new Dice(2), containers, 2);

    private String cluster() {
        api.create(
                CLUSTER_KEY,
                new Content.Cluster(
                        new Content.Wish("config", 1, 0, new TreeMap<>(), false),
                        1,
                        Optional.empty(),
                        Optional.empty()));
        return api.get(CLUSTER_KEY).orElseThrow().uid();
    }

    private void pod(String owner, String config) {
        api.create(ObjectKey.serverConfig(CLUSTER), Optional.of(owner), new Content.ServerConfig(config));
        api.create(
                ObjectKey.access(CLUSTER),
                Optional.of(owner),
                new Content.Access(new com.gomomento.valkey.operator.core.observe.AclFile("users", "replication")));
        api.create(
                POD,
                Optional.of(owner),
                new Content.Pod(
                        new ShardId(0),
                        Fingerprint.of("template"),
                        "image",
                        "9.1.2",
                        "cache-00001",
                        new TreeMap<>(),
                        new TreeMap<>(),
                        Content.PodState.NEW));
    }

    private Content.PodState state() {
        return api.get(POD).orElseThrow().pod().state();
    }

    @Test
    void aPodIsBoundStartedAndFoundReadyAfterAWhile() {
        pod(cluster(), "port 6379");
        assertThat(state().phase()).isEqualTo(PodView.Phase.PENDING);
        timeline.passUntil(30_000);
        assertThat(state().phase()).isEqualTo(PodView.Phase.RUNNING);
        assertThat(state().ready()).isTrue();
        assertThat(machines.containers()).hasSize(1);
    }

    @Test
    void aServerThatCannotReadItsFileLeavesAFailedPodWithItsLastWords() {
        pod(cluster(), "bogus yes");
        timeline.passUntil(30_000);
        assertThat(state().phase()).isEqualTo(PodView.Phase.FAILED);
        assertThat(state().exit().orElseThrow().message()).isEqualTo("Bad directive");
        assertThat(machines.containers()).isEmpty();
    }

    @Test
    void aRunningPodLingersWhileItIsDeletedAndItsProcessEndsFirst() {
        pod(cluster(), "port 6379");
        timeline.passUntil(30_000);
        api.delete(POD, 30);
        assertThat(api.get(POD).orElseThrow().terminating()).isTrue();
        assertThat(stopped).isEmpty();
        timeline.passUntil(32_000);
        assertThat(api.get(POD)).isEmpty();
        assertThat(stopped).hasSize(1);
    }

    @Test
    void aDeleteThatNamesAnotherUidIsRefused() {
        pod(cluster(), "port 6379");
        assertThat(api.delete(POD, Optional.of("uid-999"), 0)).isInstanceOf(Reply.Conflict.class);
        assertThat(api.get(POD)).isPresent();
    }

    /** As the real one does, see {@code ApiConformanceIT} in test-harness. */
    @Test
    void aPodIsSeenEndingBeforeItIsGoneAndCanOnlyBeGivenLessTime() {
        pod(cluster(), "port 6379");
        timeline.passUntil(30_000);
        int before = api.history(Kind.POD).size();
        assertThat(api.delete(POD, Optional.empty(), 5)).isInstanceOf(Reply.Found.class);
        assertThat(api.delete(POD, Optional.empty(), 30)).isInstanceOf(Reply.Found.class);
        assertThat(api.history(Kind.POD)).hasSize(before + 1);
        assertThat(api.delete(POD, Optional.empty(), 0)).isInstanceOf(Reply.Deleted.class);
        assertThat(api.history(Kind.POD).subList(before, before + 3))
                .extracting(change -> change.object().terminating() + (change.deleted() ? ", gone" : ""))
                .containsExactly("true", "true", "true, gone");
    }

    /** As the real one does, see {@code ApiConformanceIT} in test-harness. */
    @Test
    void anotherUidKeepsAWriteFromAnObjectButNotFromItsStatus() {
        String uid = cluster();
        api.create(ObjectKey.serverConfig(CLUSTER), Optional.of(uid), new Content.ServerConfig("port 6379"));
        Content other = new Content.ServerConfig("port 6380");
        assertThat(api.update(
                        ObjectKey.serverConfig(CLUSTER), Optional.of("uid-999"), OptionalLong.empty(), _ -> other))
                .isInstanceOf(Reply.Invalid.class);
        assertThat(api.apply(ObjectKey.serverConfig(CLUSTER), "uid-999", other)).isInstanceOf(Reply.Invalid.class);
        assertThat(api.apply(ObjectKey.service(CLUSTER), "uid-999", new Content.Service()))
                .isInstanceOf(Reply.Conflict.class);
        assertThat(api.updateStatus(
                        CLUSTER_KEY,
                        OptionalLong.empty(),
                        content -> ((Content.Cluster) content).withFormedAt(timeline.now())))
                .isInstanceOf(Reply.Found.class);
    }

    /** As the real one does, see {@code ApiConformanceIT} in test-harness. */
    @Test
    void aQuotaComesBeforeTheNameAndDoesNotCountWhatHasEnded() {
        pod(cluster(), "bogus yes");
        api.limitPods(1);
        Content again = api.get(POD).orElseThrow().content();
        ObjectKey another = ObjectKey.pod(CLUSTER, new NodeName("cache-00002"));
        assertThat(api.create(POD, Optional.empty(), again)).isInstanceOf(Reply.Forbidden.class);
        timeline.passUntil(30_000);
        assertThat(state().phase()).isEqualTo(PodView.Phase.FAILED);
        assertThat(api.create(another, Optional.empty(), again)).isInstanceOf(Reply.Found.class);
    }

    @Test
    void aWriteOntoAnOldVersionIsRefusedAndOneThatChangesNothingMakesNoVersion() {
        String uid = cluster();
        long version = api.get(CLUSTER_KEY).orElseThrow().version();
        assertThat(api.update(CLUSTER_KEY, Optional.of(uid), OptionalLong.of(version - 1), content -> content))
                .isInstanceOf(Reply.Conflict.class);
        api.change(CLUSTER_KEY, uid, content -> content);
        assertThat(api.get(CLUSTER_KEY).orElseThrow().version()).isEqualTo(version);
    }

    @Test
    void whatAClusterOwnedIsCollectedAfterItsEndAndSoIsWhatIsMadeForItLater() {
        String uid = cluster();
        pod(uid, "port 6379");
        timeline.passUntil(30_000);
        api.delete(CLUSTER_KEY, 0);
        timeline.passUntil(40_000);
        assertThat(api.list(Kind.POD)).isEmpty();
        assertThat(machines.containers()).isEmpty();
        pod(uid, "port 6379");
        timeline.passUntil(50_000);
        assertThat(api.list(Kind.POD)).isEmpty();
    }

    @Test
    void podsOfADeadMachineAreClearedAwayAndAnotherMachineTakesItsPlace() {
        pod(cluster(), "port 6379");
        timeline.passUntil(30_000);
        machines.killMachine(state().machine().orElseThrow());
        assertThat(state().phase()).isEqualTo(PodView.Phase.RUNNING);
        timeline.passUntil(70_000);
        assertThat(api.get(POD)).isEmpty();
        assertThat(machines.up()).hasSize(2);
    }

    @Test
    void anOwnWriteIsSeenAtOnceAndLateNewsOfAnEarlierStateDoNotUndoIt() {
        String uid = cluster();
        List<ClusterKey> woken = new ArrayList<>();
        ApiWeather weather = new ApiWeather();
        Mirror mirror = new Mirror(api, timeline, new Dice(3), weather, new Life(), woken::add);
        timeline.passUntil(1_000);
        assertThat(mirror.ready()).isTrue();
        assertThat(woken).contains(CLUSTER);
        weather.slow(2, 5_000);
        Stored first = api.get(CLUSTER_KEY).orElseThrow();
        api.change(
                CLUSTER_KEY,
                uid,
                content -> ((Content.Cluster) content)
                        .withWish(new Content.Wish("config", 2, 0, new TreeMap<>(Map.of()), false)));
        api.change(
                CLUSTER_KEY,
                uid,
                content -> ((Content.Cluster) content)
                        .withWish(new Content.Wish("config", 3, 0, new TreeMap<>(Map.of()), false)));
        assertThat(mirror.get(CLUSTER_KEY)).contains(first);
        Stored own = api.get(CLUSTER_KEY).orElseThrow();
        mirror.of(Kind.CLUSTER).written(own, timeline.nowMillis());
        for (int i = 0; i < 20; i++) {
            timeline.passUntil(1_000 + 500 * i);
            assertThat(mirror.get(CLUSTER_KEY)).contains(own);
        }
    }

    @Test
    void whatTheApiServerCalledGoneIsNotBroughtBackByLateNews() {
        String uid = cluster();
        pod(uid, "port 6379");
        ApiWeather weather = new ApiWeather();
        Mirror mirror = new Mirror(api, timeline, new Dice(3), weather, new Life(), key -> {});
        timeline.passUntil(500);
        weather.slow(2, 5_000);
        Stored pod = api.get(POD).orElseThrow();
        api.change(
                POD,
                pod.uid(),
                content -> ((Content.Pod) content).marked(new TreeMap<>(Map.of("a", "b")), new TreeMap<>()));
        api.delete(POD, 0);
        mirror.of(Kind.POD).knownGone(POD, pod.uid(), timeline.nowMillis());
        for (int i = 0; i < 20; i++) {
            timeline.passUntil(1_000 + 500 * i);
            assertThat(mirror.get(POD)).isEmpty();
        }
    }
}
