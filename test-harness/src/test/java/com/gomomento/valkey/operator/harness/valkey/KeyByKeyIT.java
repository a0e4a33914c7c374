package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Peer;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots move key by key on servers that can't move them at once; wherever a move was cut short, it is finished. */
class KeyByKeyIT extends RealServers {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private List<ValkeyServer> members = List.of();
    private TestCluster cluster = new TestCluster(port, members);

    @BeforeEach
    void form() {
        members = servers.start(Release.V8_1, 4);
        cluster = new TestCluster(port, members);
        cluster.form(2);
    }

    private ValkeyServer source() {
        return members.get(0);
    }

    private ValkeyServer target() {
        return members.get(1);
    }

    private MoveSlots moving(SlotSet slots) {
        return cluster.moving(source(), target(), slots, MoveSlots.Method.KEY_BY_KEY);
    }

    private ActionResult finish(MoveSlots move) {
        Eventually.holds("the end of the move", LIMIT, () -> cluster.run(move) instanceof AlreadyDone);
        return cluster.run(move);
    }

    @Test
    void manySlotsMoveWithAllTheirKeysWhileTheyAreWritten() {
        List<Dataset> datasets = Dataset.inFirstShare(source(), 2, 40);
        datasets.forEach(data -> data.writeTo(source()));
        List<String> before =
                datasets.stream().map(data -> data.contents(source())).toList();
        SlotSet some = SlotSet.share(0, 2).first(1024).plus(slots(datasets));
        ClusterWriter writer = new ClusterWriter(members, List.of("one", "two", "three", "four"));
        Eventually.holds("some writes", LIMIT, () -> writer.total() > 100);
        assertThat(finish(moving(some))).isInstanceOf(AlreadyDone.class);
        cluster.awaitFormed(2);
        writer.assertNothingLost();
        assertThat(cluster.report(target()).self().slots().containsAll(some)).isTrue();
        assertThat(datasets).extracting(data -> data.contents(target())).isEqualTo(before);
    }

    /** While a cluster is upgraded, its members are of two releases. */
    @ParameterizedTest
    @CsvSource({"V8_1, V9_1", "V9_1, V9_1"})
    void keysMoveBetweenReleases(Release from, Release to) {
        ValkeyServer sender = servers.start(from);
        ValkeyServer receiver = servers.start(to);
        TestCluster mixed = new TestCluster(port, List.of(sender, receiver));
        mixed.form(2);
        Dataset data = Dataset.inFirstShare(sender, 2, 1).getFirst();
        data.writeTo(sender);
        String before = data.contents(sender);
        mixed.move(sender, receiver, SlotSet.of(data.slot(sender)), MoveSlots.Method.KEY_BY_KEY);
        mixed.awaitFormed(2);
        assertThat(data.contents(receiver)).isEqualTo(before);
    }

    /** An older server reads no newer server's keys. Nothing is begun that could not be ended. */
    @Test
    void noKeysMoveToAnOlderServer() {
        ValkeyServer sender = servers.start(Release.V9_1);
        ValkeyServer receiver = servers.start(Release.V8_1);
        TestCluster mixed = new TestCluster(port, List.of(sender, receiver));
        mixed.form(2);
        Dataset data = Dataset.inFirstShare(sender, 2, 1).getFirst();
        data.writeTo(sender);
        String before = data.contents(sender);
        SlotSet slot = SlotSet.of(data.slot(sender));
        assertThat(mixed.run(mixed.moving(sender, receiver, slot, MoveSlots.Method.KEY_BY_KEY)))
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.reason()).contains("9.1.2", "8.1.1"));
        mixed.awaitFormed(2);
        assertThat(data.contents(sender)).isEqualTo(before);
    }

    private SlotSet slots(List<Dataset> datasets) {
        return SlotSet.union(
                datasets.stream().map(data -> SlotSet.of(data.slot(source()))).toList());
    }

    /** The commands of a move, of which only the first few were run before whoever sent them died. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aMoveThatWasCutShortIsFinished(int commands) {
        Dataset data = Dataset.inFirstShare(source(), 2, 1).getFirst();
        data.writeTo(source());
        String slot = Integer.toString(data.slot(source()));
        String from = cluster.id(source()).value();
        String to = cluster.id(target()).value();
        List<Runnable> steps = List.of(
                () -> ok(target(), "CLUSTER", "SETSLOT", slot, "IMPORTING", from),
                () -> ok(source(), "CLUSTER", "SETSLOT", slot, "MIGRATING", to),
                () -> migrate(data.key("list"), List.of()),
                // A copy that stayed behind when MIGRATE was cut short: from then on the source's is newer.
                () -> {
                    migrate(data.key("forever"), List.of("COPY"));
                    ok(source(), "SET", data.key("forever"), "newer");
                },
                () -> finishKeys(data),
                () -> ok(target(), "CLUSTER", "SETSLOT", slot, "NODE", to));
        steps.subList(0, commands).forEach(Runnable::run);
        MoveSlots move = moving(SlotSet.of(data.slot(source())));
        assertThat(cluster.run(move)).isIn(new Applied(), new AlreadyDone());
        assertThat(finish(move)).isInstanceOf(AlreadyDone.class);
        cluster.awaitFormed(2);
        assertThat(target().call("GET", data.key("forever"))).isEqualTo(commands < 4 ? "stays" : "newer");
        assertThat(target().call("LRANGE", data.key("list"), "0", "-1")).isEqualTo("one\ntwo");
        assertThat(data.contents(target())).contains("hello", "member").endsWith("true\n13");
        assertThat(source().call("CLUSTER", "COUNTKEYSINSLOT", slot)).isEqualTo("0");
    }

    private static void ok(ValkeyServer server, String... command) {
        assertThat(server.call(command)).isEqualTo("OK");
    }

    private void migrate(String key, List<String> options) {
        List<String> command = new ArrayList<>(
                List.of("MIGRATE", target().ip(), Integer.toString(ValkeyServer.PORT), "", "0", "5000", "REPLACE"));
        command.addAll(options);
        command.addAll(List.of(
                "AUTH2",
                InternalUsers.REPLICATION,
                servers.credentials().replication().reveal(),
                "KEYS",
                key));
        ok(source(), command.toArray(String[]::new));
    }

    /** Sends the keys that are left by a script, since their names are not all text. */
    private void finishKeys(Dataset data) {
        try (GlideValkeyPort other = new GlideValkeyPort()) {
            MoveSlots move = moving(SlotSet.of(data.slot(source())));
            assertThat(other.execute(cluster.targets(), List.of(move))).containsExactly(new Applied());
        }
    }

    /** The target has taken the keys of a batch, and the source was not told: each key is on both sides. */
    @Test
    void aBatchWhoseAnswersAreLostIsSentAgain() throws IOException {
        Dataset data = Dataset.inFirstShare(source(), 2, 1).getFirst();
        data.writeTo(source());
        String before = data.contents(source());
        SlotSet slot = SlotSet.of(data.slot(source()));
        MoveSlots direct = moving(slot);
        try (StallingProxy proxy = new StallingProxy(target(), servers.freeAddress(1), "RESTORE-ASKING")) {
            SortedMap<NodeName, Target> targets = new TreeMap<>(cluster.targets());
            Target real = target().target();
            targets.put(real.name(), new Target(real.name(), proxy.ip(), real.port(), real.password()));
            Peer peer = new Peer(real.name(), direct.target().nodeId(), proxy.ip());
            MoveSlots stalled = new MoveSlots(direct.node(), direct.nodeId(), peer, slot, direct.method());
            assertThat(port.execute(targets, List.of(stalled)).getFirst())
                    .isInstanceOfSatisfying(
                            Unknown.class, it -> assertThat(it.reason()).contains("IOERR"));
        }
        assertThat(target().call("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(data.slot(source()))))
                .isNotEqualTo("0");
        ok(source(), "SET", data.key("string"), "newer");
        assertThat(cluster.report(source()).self().openSlots())
                .extracting(OpenSlot::outgoing)
                .containsExactly(true);
        assertThat(finish(direct)).isInstanceOf(AlreadyDone.class);
        assertThat(target().call("GET", data.key("string"))).isEqualTo("newer");
        ok(target(), "SET", data.key("string"), "hello " + data.key(""), "EX", "10000");
        assertThat(data.contents(target())).isEqualTo(before);
        cluster.awaitFormed(2);
    }

    /** Operators die in the middle, again and again, and each leaves the rest to the next. */
    @Test
    void operatorsThatDieInTheMiddleLeaveTheRestToTheNext() {
        List<Dataset> datasets = Dataset.inFirstShare(source(), 2, 30);
        datasets.forEach(data -> data.writeTo(source()));
        List<String> before =
                datasets.stream().map(data -> data.contents(source())).toList();
        MoveSlots move = moving(slots(datasets));
        Random lot = new Random(5);
        for (int life = 0; life < 12; life++) {
            try (GlideValkeyPort mortal = new GlideValkeyPort()) {
                Thread.startVirtualThread(() -> mortal.execute(cluster.targets(), List.of(move)));
                sleep(150 + lot.nextInt(150));
            }
        }
        assertThat(finish(move)).isInstanceOf(AlreadyDone.class);
        cluster.awaitFormed(2);
        assertThat(datasets).extracting(data -> data.contents(target())).isEqualTo(before);
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while an operator lives", e);
        }
    }

    @Test
    void aCallIsBoundedHoweverManyKeysThereAre() {
        Dataset data = Dataset.inFirstShare(source(), 2, 1).getFirst();
        source().call(
                        "EVAL",
                        "for i = 1, 400000 do redis.call('SET', KEYS[1] .. i, i) end return 1",
                        "1",
                        data.key(""));
        MoveSlots move = moving(SlotSet.of(data.slot(source())));
        long calls = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> cluster.run(move))
                .takeWhile(result -> !(result instanceof AlreadyDone))
                .peek(result -> assertThat(result).isInstanceOf(Applied.class))
                .limit(100)
                .count();
        assertThat(calls).isGreaterThan(1);
        assertThat(target().call("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(data.slot(source()))))
                .isEqualTo("400000");
        cluster.awaitFormed(2);
    }

    @Test
    void aFrozenTargetStopsTheMoveAndLosesNothing() {
        Dataset data = Dataset.inFirstShare(source(), 2, 1).getFirst();
        data.writeTo(source());
        String before = data.contents(source());
        MoveSlots move = moving(SlotSet.of(data.slot(source())));
        target().freeze();
        assertThat(cluster.run(move)).isInstanceOf(Rejected.class);
        assertThat(cluster.report(source()).self().openSlots()).isEmpty();
        assertThat(data.contents(source())).isEqualTo(before);
        target().thaw();
        assertThat(finish(move)).isInstanceOf(AlreadyDone.class);
        assertThat(data.contents(target())).isEqualTo(before);
    }
}
