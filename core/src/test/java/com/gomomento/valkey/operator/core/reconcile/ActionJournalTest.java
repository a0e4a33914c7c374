package com.gomomento.valkey.operator.core.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.Action;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.Journal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Users' alerts match on these lines. */
class ActionJournalTest {

    private static final ClusterKey KEY = new ClusterKey("shop", "cache");
    private static final NodeName ONE = new NodeName("cache-00001");
    private static final NodeName TWO = new NodeName("cache-00002");
    private static final NodeId A = new NodeId("a".repeat(40));
    private static final NodeId B = new NodeId("b".repeat(40));
    private static final ValkeyAction.Peer PEER = new ValkeyAction.Peer(TWO, B, "10.0.0.2");

    private static KubernetesAction create(Optional<NodeName> replaces) {
        ClusterSpec spec = new ClusterSpec(
                KEY,
                1,
                1,
                0,
                new ServerSpec(
                        "image",
                        ServerVersion.parse("9.1.2"),
                        new Resources("1", "100Mi", 104857600L),
                        new TreeMap<>()),
                Placement.ANYWHERE,
                List.of(),
                new TreeMap<>());
        return new KubernetesAction.CreateMember(
                ONE, new ShardId(0), 0, replaces, spec, Fingerprint.of("a"), Fingerprint.of("b"));
    }

    static Stream<Arguments> lines() {
        String cluster = "{cluster_name=cache";
        String controller = "operator.controller ";
        String bootstrap = "operator.controller.bootstrap ";
        String membership = "operator.controller.membership ";
        String failover = "operator.controller.failover ";
        String slots = "operator.controller.slots ";
        return Stream.of(
                Arguments.of(new KubernetesAction.ApplyService(), controller + "creating headless Service " + cluster),
                Arguments.of(
                        new KubernetesAction.ApplyServerConfig("port 1"),
                        controller + "writing server configuration " + cluster),
                Arguments.of(
                        new KubernetesAction.CreateCredentials(),
                        controller + "creating credentials Secret " + cluster),
                Arguments.of(
                        new KubernetesAction.ApplyAclFile(new AclFile("user default off\n", "auth")),
                        "operator.controller.acl writing ACL file " + cluster),
                Arguments.of(
                        new KubernetesAction.ApplyDisruptionBudget(5),
                        controller + "writing PodDisruptionBudget " + cluster + ", min_available=5"),
                Arguments.of(
                        create(Optional.empty()),
                        membership + "creating Pod for node " + cluster + ", pod=cache-00001, shard=0"),
                Arguments.of(
                        create(Optional.of(TWO)),
                        membership + "creating Pod for node " + cluster
                                + ", pod=cache-00001, shard=0, replaces=cache-00002"),
                Arguments.of(
                        new KubernetesAction.DeletePod(ONE, "uid", 0),
                        membership + "deleting Pod of retired node " + cluster + ", pod=cache-00001"),
                Arguments.of(
                        new KubernetesAction.DeleteRecord(ONE, "uid"),
                        membership + "removing retired node " + cluster + ", node=cache-00001"),
                Arguments.of(
                        new KubernetesAction.MarkFormed(), bootstrap + "nodes may hold data from now on " + cluster),
                Arguments.of(
                        new ValkeyAction.Meet(ONE, A, List.of(PEER)),
                        bootstrap + "cluster meet issued " + cluster + ", node=cache-00001, peers=cache-00002"),
                Arguments.of(
                        new ValkeyAction.ClaimSlots(ONE, A, SlotSet.of(7), new ConfigEpoch(1)),
                        bootstrap + "slots assigned " + cluster + ", node=cache-00001, slots=7"),
                Arguments.of(
                        new ValkeyAction.Replicate(ONE, A, B),
                        membership + "cluster replicate issued " + cluster + ", node=cache-00001, primary_id="
                                + B.value()),
                Arguments.of(
                        new ValkeyAction.Forget(ONE, A, B, Optional.empty(), false),
                        membership + "cluster forget issued " + cluster + ", node=cache-00001, forgotten_id="
                                + B.value()),
                Arguments.of(
                        new ValkeyAction.Forget(ONE, A, B, Optional.of(TWO), false),
                        membership + "cluster forget issued " + cluster + ", node=cache-00001, forgotten_id="
                                + B.value() + ", forgotten=cache-00002"),
                Arguments.of(
                        new ValkeyAction.Failover(ONE, A, B, ValkeyAction.Failover.Mode.GRACEFUL),
                        failover + "failover to up-to-date replica for rolling upgrade " + cluster
                                + ", node=cache-00001, primary_id=" + B.value()),
                Arguments.of(
                        new ValkeyAction.Failover(ONE, A, B, ValkeyAction.Failover.Mode.TAKEOVER),
                        failover + "no quorum — issued TAKEOVER on replica " + cluster
                                + ", node=cache-00001, primary_id=" + B.value()),
                Arguments.of(
                        new ValkeyAction.MoveSlots(ONE, A, PEER, SlotSet.of(7), ValkeyAction.MoveSlots.Method.ATOMIC),
                        slots + "slot migration issued " + cluster + ", node=cache-00001, target=cache-00002, slots=7"),
                Arguments.of(
                        new ValkeyAction.SetDirectives(ONE, A, new TreeMap<>(Map.of("maxclients", "100"))),
                        controller + "directives set at run time " + cluster
                                + ", node=cache-00001, directives={maxclients=100}"),
                Arguments.of(
                        new ValkeyAction.CloseSlots(ONE, A, SlotSet.of(7), B),
                        slots + "open slots closed " + cluster + ", node=cache-00001, slots=7"));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void eachDeedHasItsLine(Action action, String line) {
        Journal.Entry entry = ActionJournal.entry(KEY, action).orElseThrow();
        assertThat(entry.level()).isEqualTo(Journal.Level.INFO);
        assertThat(entry.target() + " " + entry.message() + " " + entry.fields())
                .isEqualTo(line + "}");
    }

    @Test
    void theOperatorsOwnNotesHaveNone() {
        assertThat(ActionJournal.entry(KEY, new KubernetesAction.MarkPod(ONE, "uid", new TreeMap<>(), new TreeMap<>())))
                .isEmpty();
        assertThat(ActionJournal.entry(KEY, new KubernetesAction.WriteRecordStatus(ONE, "uid", NodeRecord.Status.NEW)))
                .isEmpty();
    }
}
