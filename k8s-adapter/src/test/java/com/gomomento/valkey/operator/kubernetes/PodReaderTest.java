package com.gomomento.valkey.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.observe.PodView.Phase;
import com.gomomento.valkey.operator.core.observe.PodView.Unschedulable;
import com.gomomento.valkey.operator.core.observe.PodView.Waiting;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodReaderTest {

    @Test
    void aRunningPod() throws IOException {
        PodView pod = pod("""
                {"phase": "Running", "podIP": "10.244.0.7",
                 "conditions": [{"type": "PodScheduled", "status": "True"}, {"type": "Ready", "status": "True"}],
                 "containerStatuses": [{"name": "valkey", "state": {"running": {}}}]}""");

        assertThat(pod.phase()).isEqualTo(Phase.RUNNING);
        assertThat(pod.ready()).isTrue();
        assertThat(pod.ip()).contains("10.244.0.7");
        assertThat(pod.shard()).isEqualTo(new ShardId(2));
        assertThat(pod.image()).isEqualTo("valkey:9.1.2");
        assertThat(pod.template()).contains(new Fingerprint("0123456789abcdef"));
        assertThat(pod.createdAt()).isEqualTo(Instant.parse("2026-11-30T12:00:00Z"));
        assertThat(pod.terminating()).isFalse();
        assertThat(pod.trouble()).isEmpty();
        assertThat(pod.exit()).isEmpty();
    }

    @Test
    void aPodThatNobodyHasLookedAtYetHasNoTrouble() throws IOException {
        PodView pod = pod("{\"phase\": \"Pending\"}");

        assertThat(pod.phase()).isEqualTo(Phase.PENDING);
        assertThat(pod.trouble()).isEmpty();
    }

    @Test
    void theSchedulersWordsAreKept() throws IOException {
        assertThat(pod("""
                        {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
                         "reason": "Unschedulable", "message": "0/3 nodes are available: 3 Insufficient memory."}]}""").trouble()).contains(new Unschedulable("0/3 nodes are available: 3 Insufficient memory."));
    }

    @Test
    void aGateCountsAsNotScheduledEvenWithoutAMessage() throws IOException {
        assertThat(pod("""
                        {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
                         "reason": "SchedulingGated"}]}""").trouble()).contains(new Unschedulable("SchedulingGated"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ErrImagePull", "ImagePullBackOff", "CreateContainerConfigError", "InvalidImageName"})
    void aContainerThatCannotStartIsTrouble(String reason) throws IOException {
        assertThat(pod(waiting(reason)).trouble()).contains(new Waiting(reason, "the kubelet's words"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ContainerCreating", "PodInitializing"})
    void aContainerThatIsBeingStartedIsNone(String reason) throws IOException {
        assertThat(pod(waiting(reason)).trouble()).isEmpty();
    }

    @Test
    void theEndOfAContainer() throws IOException {
        PodView pod = pod("""
                {"phase": "Failed", "containerStatuses": [{"name": "valkey", "state": {"terminated":
                 {"exitCode": 1, "reason": "Error", "message": "*** FATAL CONFIG FILE ERROR ***"}}}]}""");

        assertThat(pod.finished()).isTrue();
        assertThat(pod.exit()).contains(new PodView.Exit("Error", Optional.of(1), "*** FATAL CONFIG FILE ERROR ***"));
    }

    @Test
    void theEndOfAPodWhoseContainerNeverRan() throws IOException {
        PodView pod =
                pod("{\"phase\": \"Failed\", \"reason\": \"Evicted\", \"message\": \"The node was low on memory\"}");

        assertThat(pod.exit()).contains(new PodView.Exit("Evicted", Optional.empty(), "The node was low on memory"));
        assertThat(pod.trouble()).isEmpty();
    }

    @Test
    void aContainerThatSomebodyAddedDoesNotSpeakForTheServer() throws IOException {
        PodView pod = pod("""
                {"phase": "Running", "containerStatuses": [
                 {"name": "proxy", "state": {"terminated": {"exitCode": 7}}},
                 {"name": "valkey", "state": {"running": {}}}]}""");

        assertThat(pod.exit()).isEmpty();
    }

    @Test
    void aChangedShardLabelDoesNotHideTheMember() throws IOException {
        KubeObject relabelled = object("\"valkey.gomomento.com/shard\": \"none\"", """
                {"topologySpreadConstraints": [{"labelSelector": {"matchLabels":
                 {"valkey.gomomento.com/shard": "2"}}}]}""", "{}");

        assertThat(PodReader.read(relabelled))
                .isInstanceOfSatisfying(
                        Decoded.Usable.class,
                        read -> assertThat(((PodView) read.value()).shard()).isEqualTo(new ShardId(2)));
    }

    @Test
    void aPodOfNoShardSaysWhatIsWrong() throws IOException {
        assertThat(PodReader.read(object("\"a\": \"b\"", "{}", "{}")))
                .isEqualTo(new Decoded.Unusable<PodView>(
                        "label valkey.gomomento.com/shard is missing, allowed is a shard's index"));
    }

    /** The API server writes amounts in its own form and adds its own tolerations. */
    @Test
    void aPodWithoutAFingerprintIsKnownByWhatItShows() throws IOException {
        KubeObject pod = new KubeObject(Json.read("""
                {"metadata": {"name": "shop-0a1b2", "namespace": "default", "uid": "u",
                  "creationTimestamp": "2026-11-30T12:00:00Z", "labels": {"valkey.gomomento.com/shard": "2"}},
                 "spec": {"containers": [{"name": "valkey", "image": "valkey:9.1.2",
                   "resources": {"limits": {"cpu": "1", "memory": "1Gi"}}}],
                  "nodeSelector": {"disk": "fast"},
                  "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["z2", "z1"]}]}]}}},
                  "tolerations": [{"key": "dedicated", "operator": "Exists", "tolerationSeconds": 5},
                   {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]},
                 "status": {"phase": "Running"}}""".getBytes(StandardCharsets.UTF_8)));

        Placement placement = new Placement(
                List.of("z2", "z1"),
                ZoneSpread.REQUIRED,
                Map.of("disk", "fast"),
                List.of(new Toleration(
                        Optional.of("dedicated"),
                        Optional.of("Exists"),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.of(5))));
        assertThat(PodReader.read(pod))
                .isInstanceOfSatisfying(
                        Decoded.Usable.class,
                        read -> assertThat(((PodView) read.value()).template())
                                .contains(ServerConfig.shown("valkey:9.1.2", "1000m", "1024Mi", placement)));
    }

    private static String waiting(String reason) {
        return "{\"phase\": \"Pending\", \"containerStatuses\": [{\"name\": \"valkey\", \"state\": {\"waiting\": {\"reason\": \""
                + reason + "\", \"message\": \"the kubelet's words\"}}}]}";
    }

    private static PodView pod(String status) throws IOException {
        Decoded<PodView> read = PodReader.read(object(
                "\"valkey.gomomento.com/shard\": \"2\"",
                "{\"containers\": [{\"name\": \"valkey\", \"image\": \"valkey:9.1.2\"}]}",
                status));
        return switch (read) {
            case Decoded.Usable<PodView>(PodView pod) -> pod;
            case Decoded.Unusable<PodView>(String sentence) -> throw new AssertionError(sentence);
        };
    }

    private static KubeObject object(String labels, String spec, String status) throws IOException {
        String text = """
                {"metadata": {"namespace": "shop", "name": "orders-3f9a1", "uid": "u1",
                  "creationTimestamp": "2026-11-30T12:00:00Z", "labels": {%s},
                  "managedFields": [{"manager": "kubelet"}],
                  "annotations": {"valkey.gomomento.com/template": "0123456789abcdef"}},
                 "spec": %s, "status": %s}""".formatted(labels, spec, status);
        return new KubeObject(Json.read(text.getBytes(StandardCharsets.UTF_8)));
    }
}
