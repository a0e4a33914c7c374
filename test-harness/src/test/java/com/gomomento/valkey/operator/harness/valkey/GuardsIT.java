package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.ClaimSlots;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Forget;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Meet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Peer;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Replicate;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What must not be done is not done, and a result never says more than is known. */
class GuardsIT extends RealServers {

    private static final NodeId NOBODY = new NodeId("f".repeat(40));
    private static final Release RELEASE = Release.V9_1;

    private TestCluster cluster(int size) {
        return new TestCluster(port, servers.start(RELEASE, size));
    }

    @Test
    void anAddressThatChangedHandsIsToldNothing() {
        ValkeyServer old = servers.start(RELEASE);
        ValkeyServer other = servers.start(RELEASE);
        TestCluster cluster = new TestCluster(port, List.of(old, other));
        NodeId oldId = cluster.id(old);
        NodeId otherId = cluster.id(other);
        old.kill();
        ValkeyServer stranger = servers.startInPlaceOf(old, RELEASE);
        NodeId strangerId = new TestCluster(port, List.of(stranger)).id(stranger);
        rejected(
                cluster.run(new ClaimSlots(old.name(), oldId, SlotSet.ALL, new ConfigEpoch(1))),
                strangerId.value(),
                "instead of " + oldId);
        rejected(
                cluster.run(new Meet(other.name(), otherId, List.of(new Peer(old.name(), oldId, old.ip())))),
                "nobody was met",
                strangerId.value());
        assertThat(new TestCluster(port, List.of(stranger))
                        .report(stranger)
                        .view()
                        .size())
                .isEqualTo(1);
        assertThat(cluster.report(other).view().size()).isEqualTo(1);
    }

    /** The pod of another cluster took an address: without the check of identities, both clusters would merge for good. */
    @Test
    void twoClustersAreNotMerged() {
        TestCluster one = cluster(2);
        one.form(2);
        List<ValkeyServer> others = servers.start(RELEASE, 2);
        TestCluster two = new TestCluster(port, others);
        two.form(2);
        ValkeyServer host = others.getFirst();
        Target stolen = one.targets().firstEntry().getValue();
        TreeMap<NodeName, Target> targets = new TreeMap<>(two.targets());
        ValkeyServer moved = others.getLast();
        targets.put(moved.name(), new Target(moved.name(), stolen.ip(), stolen.port(), stolen.password()));
        Meet meet = new Meet(host.name(), two.id(host), List.of(new Peer(moved.name(), two.id(moved), stolen.ip())));
        rejected(port.execute(targets, List.of(meet)).getFirst(), "nobody was met");
        one.awaitFormed(2);
        two.awaitFormed(2);
    }

    @Test
    void aPeerThatCannotBeCheckedKeepsNoOtherFromBeingMet() {
        List<ValkeyServer> members = servers.start(RELEASE, 3);
        TestCluster cluster = new TestCluster(port, members);
        Meet meet = cluster.meeting();
        members.get(1).freeze();
        assertThat(cluster.run(meet))
                .isInstanceOfSatisfying(
                        Unknown.class,
                        it -> assertThat(it.reason())
                                .contains(
                                        "1 peers were met",
                                        "1 not",
                                        members.get(1).name().value()));
        Eventually.holds(
                "the other one is known",
                Duration.ofSeconds(20),
                () -> cluster.report(members.get(2)).view().size() == 2);
        members.get(1).thaw();
        assertThat(cluster.run(meet)).isInstanceOf(Applied.class);
        cluster.awaitIntroduced();
    }

    @Test
    void slotsAreClaimedOnceOnly() {
        List<ValkeyServer> members = servers.start(RELEASE, 3);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(2);
        ValkeyServer first = members.get(0);
        SlotSet foreign = SlotSet.of(List.of(new SlotRange(16000, 16100)));
        rejected(
                cluster.run(new ClaimSlots(first.name(), cluster.id(first), foreign, new ConfigEpoch(9))),
                "16000-16100",
                cluster.id(members.get(1)).value());
        ValkeyServer replica = members.get(2);
        rejected(
                cluster.run(new ClaimSlots(replica.name(), cluster.id(replica), foreign, new ConfigEpoch(9))),
                "is a replica");
        cluster.awaitFormed(2);
    }

    @Test
    void aClaimThatWasCutShortIsCompleted() {
        ValkeyServer member = servers.start(RELEASE);
        TestCluster cluster = new TestCluster(port, List.of(member));
        SlotSet half = SlotSet.share(0, 2);
        assertThat(cluster.run(new ClaimSlots(member.name(), cluster.id(member), half, new ConfigEpoch(3))))
                .isInstanceOf(Applied.class);
        assertThat(cluster.run(new ClaimSlots(member.name(), cluster.id(member), SlotSet.ALL, new ConfigEpoch(4))))
                .isInstanceOf(Applied.class);
        assertThat(cluster.report(member).self().slots()).isEqualTo(SlotSet.ALL);
        assertThat(cluster.report(member).self().epoch()).isEqualTo(new ConfigEpoch(3));
    }

    @Test
    void onlyANodeWithoutSlotsFollowsOneThatItKnows() {
        List<ValkeyServer> members = servers.start(RELEASE, 3);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(2);
        ValkeyServer owner = members.get(0);
        ValkeyServer replica = members.get(2);
        rejected(cluster.run(new Replicate(owner.name(), cluster.id(owner), cluster.id(members.get(1)))), "owns slots");
        rejected(cluster.run(new Replicate(replica.name(), cluster.id(replica), NOBODY)), "does not know");
        assertThat(cluster.run(new Replicate(replica.name(), cluster.id(replica), cluster.id(members.get(1)))))
                .isInstanceOf(Applied.class);
        cluster.awaitFormed(2);
        assertThat(cluster.report(replica).self().primary()).hasValue(cluster.id(members.get(1)));
    }

    @Test
    void onlyADeadMemberWithoutDutiesIsForgotten() {
        List<ValkeyServer> members = servers.start(RELEASE, 5);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(3);
        ValkeyServer first = members.get(0);
        ValkeyServer replica = members.get(3);
        ValkeyServer dead = members.get(4);
        NodeId deadId = cluster.id(dead);
        rejected(cluster.run(forget(cluster, first, cluster.id(members.get(1)))), "owns slots");
        rejected(cluster.run(forget(cluster, replica, cluster.id(first))), "owns slots");
        assertThat(cluster.run(forget(cluster, first, NOBODY))).isInstanceOf(AlreadyDone.class);
        dead.kill();
        Eventually.holds(
                "the death is noticed",
                Duration.ofSeconds(30),
                () -> cluster.report(first).view().all().stream()
                        .anyMatch(member -> member.id().equals(deadId) && member.health() == Health.FAILED));
        for (ValkeyServer member : members.subList(0, 4)) {
            assertThat(cluster.run(forget(cluster, member, deadId))).isIn(new Applied(), new AlreadyDone());
        }
        assertThat(cluster.run(forget(cluster, first, deadId))).isInstanceOf(AlreadyDone.class);
        assertThat(cluster.report(first).view().all())
                .extracting(MemberBelief::id)
                .doesNotContain(deadId)
                .hasSize(4);
    }

    private static Forget forget(TestCluster cluster, ValkeyServer node, NodeId forgotten) {
        return new Forget(node.name(), cluster.id(node), forgotten, Optional.of(new NodeName("known")), false);
    }

    @Test
    void aPrimaryThatIsFollowedIsNotForgotten() {
        List<ValkeyServer> members = servers.start(RELEASE, 2);
        TestCluster cluster = new TestCluster(port, members);
        cluster.applied(List.of(cluster.meeting()));
        cluster.awaitIntroduced();
        cluster.applied(cluster.followings(1));
        NodeId primary = cluster.id(members.get(0));
        rejected(cluster.run(forget(cluster, members.get(1), primary)), "follows");
        ValkeyServer replica = members.get(1);
        rejected(
                cluster.run(new Forget(replica.name(), cluster.id(replica), primary, Optional.empty(), false)),
                "is alive");
    }

    @Test
    void nothingIsSentToAMemberThatIsFrozenOrUnknown() {
        List<ValkeyServer> members = servers.start(RELEASE, 1);
        TestCluster cluster = new TestCluster(port, members);
        ValkeyServer member = members.getFirst();
        NodeId id = cluster.id(member);
        member.freeze();
        rejected(cluster.run(new ClaimSlots(member.name(), id, SlotSet.ALL, new ConfigEpoch(1))), "not asked");
        member.thaw();
        assertThat(cluster.report(member).self().slots()).isEqualTo(SlotSet.EMPTY);
        ValkeyAction nowhere = new ClaimSlots(new NodeName("nowhere"), id, SlotSet.ALL, new ConfigEpoch(1));
        rejected(cluster.run(nowhere), "no address");
    }

    /** The command arrives, its answer does not: it may have been done, and here it has. */
    @Test
    void aCommandWithoutAnAnswerIsUnknown() throws IOException {
        ValkeyServer member = servers.start(RELEASE);
        TestCluster cluster = new TestCluster(port, List.of(member));
        NodeId id = cluster.id(member);
        try (StallingProxy proxy = new StallingProxy(member, servers.freeAddress(1), "ADDSLOTSRANGE")) {
            TreeMap<NodeName, Target> targets = new TreeMap<>();
            targets.put(
                    member.name(),
                    new Target(
                            member.name(),
                            proxy.ip(),
                            ValkeyServer.PORT,
                            member.target().password()));
            ClaimSlots claim = new ClaimSlots(member.name(), id, SlotSet.ALL, new ConfigEpoch(1));
            assertThat(port.execute(targets, List.of(claim)).getFirst()).isInstanceOf(Unknown.class);
        }
        assertThat(cluster.report(member).self().slots()).isEqualTo(SlotSet.ALL);
    }
}
