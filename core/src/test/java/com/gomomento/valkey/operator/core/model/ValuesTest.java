package com.gomomento.valkey.operator.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Values refuse what they can't be, tell equals from others, and print as people read them. */
class ValuesTest {

    private static final NodeName NAME = new NodeName("cache-00001");
    private static final NodeId ME = new NodeId("a".repeat(40));
    private static final NodeId PEER = new NodeId("b".repeat(40));

    private static void refused(ThrowingCallable deed, String because) {
        assertThatThrownBy(deed).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(because);
    }

    @Test
    void aSecretIsEqualByItsTextAndNeverShowsIt() {
        SecretText secret = SecretText.of("abc");
        assertThat(secret)
                .isEqualTo(SecretText.of("abc"))
                .hasSameHashCodeAs(SecretText.of("abc"))
                .isNotEqualTo(SecretText.of("abd"))
                .isNotEqualTo("abc")
                .hasToString("[redacted]");
        assertThat(secret.hashCode()).isNotEqualTo(SecretText.of("abd").hashCode());
        assertThat(secret.reveal()).isEqualTo("abc");
        assertThat(secret.sha256Hex()).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        refused(() -> SecretText.of(" "), "credential");
    }

    @Test
    void anAclFilePrintsAsItsFingerprint() {
        AclFile file = new AclFile("user default off", "primaryauth secret");
        assertThat(file.toString())
                .isEqualTo("AclFile[" + file.fingerprint() + "]")
                .doesNotContain("secret");
        refused(() -> new AclFile("", "x"), "users.acl");
        refused(() -> new AclFile("x", ""), "replication.conf");
    }

    @Test
    void aFingerprintHasSixteenHexDigitsAndTellsPartsApart() {
        assertThat(Fingerprint.of("a", "bc")).isNotEqualTo(Fingerprint.of("ab", "c"));
        assertThat(new Fingerprint("0123456789abcdef")).hasToString("0123456789abcdef");
        refused(() -> new Fingerprint("0123456789abcde"), "is no fingerprint");
    }

    @Test
    void idsNamesAndKeysAreRefusedInAnotherFormAndSorted() {
        refused(() -> new NodeId("A".repeat(40)), "is no cluster node id");
        assertThat(ME).isLessThan(PEER).hasToString("a".repeat(40));
        refused(() -> new ClusterKey("", "cache"), "namespace");
        refused(() -> new ClusterKey("shop", ""), "name");
        assertThat(new ClusterKey("shop", "cache"))
                .isLessThan(new ClusterKey("shop", "queue"))
                .isLessThan(new ClusterKey("zoo", "a"))
                .hasToString("shop/cache");
    }

    @Test
    void slotsLieWithinTheirBounds() {
        assertThat(new SlotRange(5, 7).size()).isEqualTo(3);
        assertThat(new SlotRange(0, 16383).size()).isEqualTo(16384);
        refused(() -> new SlotRange(-1, 5), "is not within 0-16383");
        refused(() -> new SlotRange(5, 4), "is not within 0-16383");
        refused(() -> new SlotRange(5, 16384), "is not within 0-16383");
        refused(() -> SlotSet.share(0, 0), "shards is 0");
        refused(() -> SlotSet.share(0, 16385), "shards is 16385");
        refused(() -> SlotSet.share(3, 3), "shard 3 is not one of 3");
        refused(() -> SlotSet.share(-1, 3), "shard -1 is not one of 3");
        assertThat(SlotSet.share(0, 16384)).isEqualTo(SlotSet.of(0));
        assertThat(SlotSet.of(5).hashCode())
                .isEqualTo(SlotSet.of(5).hashCode())
                .isNotEqualTo(SlotSet.of(6).hashCode());
    }

    @Test
    void anOpenSlotPrintsAsTheServerPrintsIt() {
        assertThat(new OpenSlot(0, true, PEER)).hasToString("[0->-" + PEER + "]");
        assertThat(new OpenSlot(16383, false, PEER)).hasToString("[16383-<-" + PEER + "]");
        refused(() -> new OpenSlot(-1, true, PEER), "slot is -1");
        refused(() -> new OpenSlot(16384, true, PEER), "slot is 16384");
    }

    @Test
    void aWishHasAtLeastOneShardAndItsServiceAName() {
        assertThat(spec(1, 0).endpointHost()).isEqualTo("cache.shop.svc.cluster.local");
        assertThat(spec(16384, 2).members()).isEqualTo(3 * 16384);
        refused(() -> spec(0, 0), "shards is 0");
        refused(() -> spec(16385, 0), "shards is 16385");
        refused(() -> spec(1, -1), "replicas");
    }

    private static ClusterSpec spec(int shards, int replicas) {
        return new ClusterSpec(
                new ClusterKey("shop", "cache"),
                1,
                shards,
                replicas,
                new ServerSpec(
                        "image",
                        ServerVersion.parse("9.1.2"),
                        new Resources("1", "100Mi", 104857600L),
                        new TreeMap<>()),
                Placement.ANYWHERE,
                List.of(),
                new TreeMap<>());
    }

    @Test
    void commandsToNobodyOrAboutNothingAreRefused() {
        ValkeyAction.Peer peer = new ValkeyAction.Peer(new NodeName("cache-00002"), PEER, "10.0.0.2");
        ValkeyAction.Peer self = new ValkeyAction.Peer(NAME, ME, "10.0.0.1");
        ValkeyAction.MoveSlots.Method atomic = ValkeyAction.MoveSlots.Method.ATOMIC;
        refused(() -> new ValkeyAction.Meet(NAME, ME, List.of()), "a meeting of nobody");
        refused(() -> new ValkeyAction.Peer(NAME, ME, ""), "ip");
        refused(() -> new ValkeyAction.ClaimSlots(NAME, ME, SlotSet.EMPTY, new ConfigEpoch(1)), "a claim of no slot");
        refused(() -> new ValkeyAction.ClaimSlots(NAME, ME, SlotSet.of(1), new ConfigEpoch(0)), "config epoch");
        refused(() -> new ValkeyAction.Replicate(NAME, ME, ME), "can't follow itself");
        refused(() -> new ValkeyAction.Forget(NAME, ME, ME, Optional.empty(), false), "can't forget itself");
        refused(
                () -> new ValkeyAction.Failover(NAME, ME, ME, ValkeyAction.Failover.Mode.GRACEFUL),
                "can't replace itself");
        refused(() -> new ValkeyAction.MoveSlots(NAME, ME, peer, SlotSet.EMPTY, atomic), "a move of no slot");
        refused(() -> new ValkeyAction.MoveSlots(NAME, ME, self, SlotSet.of(1), atomic), "can't receive its own slots");
        refused(() -> new ValkeyAction.CloseSlots(NAME, ME, SlotSet.EMPTY, PEER), "no slot to close");
    }

    @Test
    void actionsAreNamedByWhatTheyAreAbout() {
        ValkeyAction.Peer peer = new ValkeyAction.Peer(new NodeName("cache-00002"), PEER, "10.0.0.2");
        assertThat(List.of(
                        new ValkeyAction.Meet(NAME, ME, List.of(peer)).key(),
                        new ValkeyAction.ClaimSlots(NAME, ME, SlotSet.of(1), new ConfigEpoch(1)).key(),
                        new ValkeyAction.Replicate(NAME, ME, PEER).key(),
                        new ValkeyAction.Forget(NAME, ME, PEER, Optional.empty(), false).key(),
                        new ValkeyAction.Failover(NAME, ME, PEER, ValkeyAction.Failover.Mode.TAKEOVER).key(),
                        new ValkeyAction.MoveSlots(NAME, ME, peer, SlotSet.of(1), ValkeyAction.MoveSlots.Method.ATOMIC)
                                .key(),
                        new ValkeyAction.CloseSlots(NAME, ME, SlotSet.of(1), PEER).key()))
                .containsExactly(
                        "meet from cache-00001",
                        "claim slots on cache-00001",
                        "replicate cache-00001",
                        "forget " + PEER + " on cache-00001",
                        "failover to cache-00001",
                        "move slots from cache-00001 to cache-00002",
                        "close slots on cache-00001");
    }

    @Test
    void aTargetHasAnAddressAndAPort() {
        SecretText password = SecretText.of("x");
        assertThat(new ValkeyPort.Target(NAME, "10.0.0.1", 1, password).port()).isOne();
        assertThat(new ValkeyPort.Target(NAME, "10.0.0.1", 65535, password).port())
                .isEqualTo(65535);
        refused(() -> new ValkeyPort.Target(NAME, "10.0.0.1", 0, password), "port is 0");
        refused(() -> new ValkeyPort.Target(NAME, "10.0.0.1", 65536, password), "port is 65536");
        refused(() -> new ValkeyPort.Target(NAME, "", 1, password), "ip");
    }

    @Test
    void memoryInUseIsNeverNegative() {
        refused(() -> new NodeReport.MemoryUse(-1, 0), "memory in use");
        refused(() -> new NodeReport.MemoryUse(0, -1), "maxmemory");
    }
}
