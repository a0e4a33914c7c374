package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.ClaimSlots;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Failover;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Forget;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A shard gets another primary: planned, after the death of too many, and after the death of all its members. */
class FailoverIT extends RealServers {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private static boolean served(Reachable node) {
        return node.clusterOk()
                && SlotSet.union(node.view().all().stream()
                                .filter(line -> line.health() == Health.OK && line.linkUp())
                                .map(MemberBelief::slots)
                                .toList())
                        .equals(SlotSet.ALL);
    }

    @ParameterizedTest
    @EnumSource
    void aPlannedFailoverLosesNoWriteThatWasAcknowledged(Release release) {
        List<ValkeyServer> members = servers.start(release, 4);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(3);
        ValkeyServer primary = members.get(0);
        ValkeyServer replica = members.get(3);
        ClusterWriter writer = new ClusterWriter(members, List.of("{b}1", "{b}2", "{b}3", "other"));
        Eventually.holds("some writes", LIMIT, () -> writer.total() > 100);
        Failover failover =
                new Failover(replica.name(), cluster.id(replica), cluster.id(primary), Failover.Mode.GRACEFUL);
        assertThat(cluster.run(failover)).isInstanceOf(Applied.class);
        Eventually.holds("the failover", LIMIT, () -> cluster.report(replica).role() == Role.PRIMARY);
        long before = writer.total();
        Eventually.holds("some writes after it", LIMIT, () -> writer.total() > before + 100);
        assertThat(cluster.run(failover)).isInstanceOf(AlreadyDone.class);
        cluster.awaitFormed(3);
        assertThat(cluster.report(primary).self().primary()).hasValue(cluster.id(replica));
        writer.assertNothingLost();
    }

    @ParameterizedTest
    @EnumSource
    void replicasTakeOverWhereTooFewPrimariesAreLeftToVote(Release release) {
        List<ValkeyServer> members = servers.start(release, 6);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(3);
        Dataset data = new Dataset("b");
        data.writeTo(members.get(0));
        String before = data.contents(members.get(0));
        Eventually.holds("the replica's copy", LIMIT, () -> data.count(members.get(3)) == data.count(members.get(0)));
        List<Failover> takeovers = new ArrayList<>();
        List<Failover> planned = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
            ValkeyServer replica = members.get(3 + shard);
            NodeId primary = cluster.id(members.get(shard));
            takeovers.add(new Failover(replica.name(), cluster.id(replica), primary, Failover.Mode.TAKEOVER));
            planned.add(new Failover(replica.name(), cluster.id(replica), primary, Failover.Mode.GRACEFUL));
        }
        members.get(0).kill();
        members.get(1).kill();
        TestCluster survivors = new TestCluster(port, members.subList(2, 6));
        takeovers.forEach(takeover -> Eventually.holds(
                "the death of " + takeover.primary() + " is suspected",
                LIMIT,
                () -> survivors.observe().values().stream()
                        .allMatch(report -> report instanceof Reachable node
                                && node.view()
                                        .of(takeover.primary())
                                        .filter(line -> line.health() != Health.OK)
                                        .isPresent())));
        planned.forEach(failover -> rejected(survivors.run(failover), "not in sync"));
        takeovers.forEach(takeover -> assertThat(survivors.run(takeover)).isInstanceOf(Applied.class));
        survivors.awaitAll("every slot served again", FailoverIT::served);
        takeovers.forEach(takeover -> assertThat(survivors.run(takeover)).isInstanceOf(AlreadyDone.class));
        assertThat(data.contents(members.get(3))).isEqualTo(before);
    }

    /** The server itself sees to it; the simulator's model does as it does. */
    @ParameterizedTest
    @EnumSource
    void aReplicaThatNeverHadACopyIsNotElected(Release release) {
        List<ValkeyServer> members = servers.start(release, 4);
        TestCluster cluster = new TestCluster(port, members.subList(0, 3));
        cluster.form(3);
        ValkeyServer primary = members.get(0);
        ValkeyServer newcomer = members.get(3);
        TestCluster joined = new TestCluster(port, members);
        joined.applied(List.of(joined.meeting()));
        joined.awaitIntroduced();
        String id = joined.id(primary).value();
        primary.freeze();
        assertThat(newcomer.call("CLUSTER", "REPLICATE", id)).isEqualTo("OK");
        primary.kill();
        Eventually.holds(
                "a refusal to be elected",
                LIMIT,
                () -> newcomer.log().contains("Disconnected from primary for longer than allowed"));
        assertThat(new TestCluster(port, members.subList(1, 4)).report(newcomer).role())
                .isEqualTo(Role.REPLICA);
    }

    @Test
    void noReplicaTakesOverFromAPrimaryThatLives() {
        List<ValkeyServer> members = servers.start(Release.V9_1, 4);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(2);
        ValkeyServer replica = members.get(2);
        NodeId id = cluster.id(replica);
        NodeId primary = cluster.id(members.get(0));
        NodeId other = cluster.id(members.get(1));
        rejected(
                cluster.run(new Failover(replica.name(), id, primary, Failover.Mode.TAKEOVER)),
                "is still connected to its primary");
        rejected(cluster.run(new Failover(replica.name(), id, other, Failover.Mode.GRACEFUL)), "does not follow");
        rejected(cluster.run(new Failover(replica.name(), id, other, Failover.Mode.TAKEOVER)), "does not follow");
        cluster.awaitFormed(2);
        assertThat(cluster.report(replica).self().primary()).hasValue(primary);
    }

    /** All of a shard is dead: its slots go to a newcomer, empty, once everybody has forgotten who owned them. */
    @ParameterizedTest
    @EnumSource
    void theSlotsOfADeadShardAreGivenToANewcomer(Release release) {
        List<ValkeyServer> members = servers.start(release, 3);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(3);
        ValkeyServer dead = members.get(2);
        NodeId deadId = cluster.id(dead);
        SlotSet slots = cluster.report(dead).self().slots();
        ValkeyServer first = members.get(0);
        rejected(cluster.run(forget(cluster, first, deadId, true)), "has a link");
        dead.kill();
        TestCluster survivors = new TestCluster(port, members.subList(0, 2));
        survivors.awaitAll(
                "the death is certain",
                node -> node.view()
                        .of(deadId)
                        .filter(line -> line.health() == Health.FAILED)
                        .isPresent());
        rejected(survivors.run(forget(survivors, first, deadId, false)), "owns slots");
        for (ValkeyServer member : members.subList(0, 2)) {
            assertThat(survivors.run(forget(survivors, member, deadId, true))).isIn(new Applied(), new AlreadyDone());
        }
        ValkeyServer newcomer = servers.start(release);
        TestCluster renewed = new TestCluster(port, List.of(first, members.get(1), newcomer));
        renewed.applied(List.of(renewed.meeting()));
        renewed.awaitIntroduced();
        assertThat(renewed.run(new ClaimSlots(newcomer.name(), renewed.id(newcomer), slots, new ConfigEpoch(3))))
                .isInstanceOf(Applied.class);
        renewed.awaitFormed(3);
        assertThat(renewed.report(newcomer).self().slots()).isEqualTo(slots);
    }

    private static Forget forget(TestCluster cluster, ValkeyServer node, NodeId forgotten, boolean withSlots) {
        return new Forget(node.name(), cluster.id(node), forgotten, Optional.of(new NodeName("known")), withSlots);
    }
}
