package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.CloseSlots;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slots move at once where servers can, and are closed where the other end of a move is dead. */
class SlotsIT extends RealServers {

    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final MoveSlots.Method ATOMIC = MoveSlots.Method.ATOMIC;

    private static SlotSet slots(List<Dataset> datasets, ValkeyServer server) {
        return SlotSet.union(
                datasets.stream().map(data -> SlotSet.of(data.slot(server))).toList());
    }

    @Test
    void slotsMoveAtOnceWithAllTheirKeysWhileTheyAreWritten() {
        List<ValkeyServer> members = servers.start(Release.V9_1, 4);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(2);
        ValkeyServer source = members.get(0);
        ValkeyServer target = members.get(1);
        List<Dataset> datasets = Dataset.inFirstShare(source, 2, 20);
        datasets.forEach(data -> data.writeTo(source));
        List<String> before =
                datasets.stream().map(data -> data.contents(source)).toList();
        SlotSet slots = SlotSet.share(0, 2).first(2048).plus(slots(datasets, source));
        ClusterWriter writer = new ClusterWriter(members, List.of("one", "two", "three", "four"));
        Eventually.holds("some writes", LIMIT, () -> writer.total() > 100);
        MoveSlots move = cluster.moving(source, target, slots, ATOMIC);
        assertThat(cluster.run(move)).isInstanceOf(Applied.class);
        Eventually.holds("the move", LIMIT, () -> cluster.run(move) instanceof AlreadyDone);
        cluster.awaitFormed(2);
        writer.assertNothingLost();
        assertThat(cluster.report(target).self().slots())
                .isEqualTo(SlotSet.share(1, 2).plus(slots));
        assertThat(datasets).extracting(data -> data.contents(target)).isEqualTo(before);
        SlotMigration told =
                new SlotMigration(true, slots, cluster.id(source), cluster.id(target), false, "success", "");
        assertThat(cluster.report(source).migrations()).containsExactly(told);
        assertThat(cluster.report(target).migrations())
                .containsExactly(new SlotMigration(false, slots, told.source(), told.target(), false, "success", ""));
        assertThat(cluster.report(members.get(3)).migrations()).isEmpty();
    }

    @Test
    void aMoveThatHangsIsShownAndKeepsAnotherFromBeginning() {
        List<ValkeyServer> members = servers.start(Release.V9_1, 3);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(3);
        ValkeyServer source = members.get(0);
        ValkeyServer target = members.get(1);
        Dataset data = Dataset.inFirstShare(source, 3, 1).getFirst();
        data.writeTo(source);
        String before = data.contents(source);
        SlotSet slot = SlotSet.of(data.slot(source));
        MoveSlots move = cluster.moving(source, target, slot, ATOMIC);
        MoveSlots other = cluster.moving(source, target, SlotSet.share(0, 3).minus(slot), ATOMIC);
        rejected(cluster.run(cluster.moving(source, target, SlotSet.ALL, ATOMIC)), "does not own slots");
        target.freeze();
        assertThat(cluster.run(move)).isInstanceOf(Applied.class);
        assertThat(cluster.report(source).migrations())
                .extracting(SlotMigration::active)
                .containsExactly(true);
        rejected(cluster.run(other), "another migration");
        target.kill();
        Eventually.holds(
                "the failure is told",
                LIMIT,
                () -> cluster.report(source).migrations().stream().noneMatch(SlotMigration::active));
        assertThat(cluster.report(source).migrations())
                .extracting(SlotMigration::state)
                .containsExactly("failed");
        assertThat(cluster.report(source).self().slots()).isEqualTo(SlotSet.share(0, 3));
        assertThat(data.contents(source)).isEqualTo(before);
        Eventually.holds(
                "the death is noticed",
                LIMIT,
                () -> cluster.report(source)
                        .view()
                        .of(move.target().nodeId())
                        .filter(line -> line.health() != Health.OK)
                        .isPresent());
        rejected(cluster.run(other), "as a healthy primary");
        target.start();
        Eventually.holds("the move", LIMIT, () -> cluster.run(move) instanceof AlreadyDone);
        cluster.awaitFormed(3);
        assertThat(data.contents(target)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void slotsMoveToNoReplica(Release release) {
        List<ValkeyServer> members = servers.start(release, 3);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(2);
        for (MoveSlots.Method method : MoveSlots.Method.values()) {
            rejected(
                    cluster.run(cluster.moving(members.get(1), members.get(2), SlotSet.share(1, 2), method)),
                    "as a healthy primary");
        }
        cluster.awaitFormed(2);
    }

    @ParameterizedTest
    @EnumSource
    void slotsAreClosedOnlyTowardsTheDead(Release release) {
        List<ValkeyServer> members = servers.start(release, 3);
        TestCluster cluster = new TestCluster(port, members);
        cluster.form(3);
        ValkeyServer source = members.get(0);
        ValkeyServer target = members.get(1);
        NodeId from = cluster.id(source);
        NodeId to = cluster.id(target);
        NodeId third = cluster.id(members.get(2));
        for (ValkeyServer each : List.of(source, target)) {
            boolean outgoing = each == source;
            each.call(
                    "CLUSTER",
                    "SETSLOT",
                    "7",
                    outgoing ? "MIGRATING" : "IMPORTING",
                    outgoing ? to.value() : from.value());
        }
        source.call("CLUSTER", "SETSLOT", "8", "MIGRATING", third.value());
        CloseSlots atSource = new CloseSlots(source.name(), from, SlotSet.share(0, 3), to);
        rejected(cluster.run(atSource), "is alive");
        rejected(cluster.run(new CloseSlots(target.name(), to, SlotSet.of(7), from)), "is alive");
        assertThat(cluster.run(new CloseSlots(target.name(), to, SlotSet.of(9), from)))
                .isInstanceOf(AlreadyDone.class);
        assertThat(cluster.report(source).self().openSlots())
                .containsExactly(new OpenSlot(7, true, to), new OpenSlot(8, true, third));
        target.kill();
        Eventually.holds("the death is noticed", LIMIT, () -> cluster.run(atSource) instanceof Applied);
        assertThat(cluster.report(source).self().openSlots()).containsExactly(new OpenSlot(8, true, third));
        assertThat(cluster.report(source).self().slots()).isEqualTo(SlotSet.share(0, 3));
        assertThat(cluster.run(atSource)).isInstanceOf(AlreadyDone.class);
    }
}
