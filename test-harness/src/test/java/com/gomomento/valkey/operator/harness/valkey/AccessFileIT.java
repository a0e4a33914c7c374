package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real servers read the rendered files as they were meant, and the internal users' rights are enough and no more. */
class AccessFileIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static AclUser user(String name, String... rules) {
        return new AclUser(name, List.of(SecretText.of(name + "-pw").sha256Hex()), List.of(rules));
    }

    @ParameterizedTest
    @EnumSource
    void theDefaultUserIsOpenOnlyWithoutAnAcl(Release release) {
        try (ValkeyServers servers = new ValkeyServers()) {
            ValkeyServer closed = servers.start(release);
            try (RespConnection nobody = closed.connect()) {
                assertThat(nobody.call("PING")).startsWith("-NOAUTH");
            }
            ValkeyServer open = servers.withoutUsers().start(release);
            try (RespConnection nobody = open.connect()) {
                assertThat(nobody.call("PING")).isEqualTo("PONG");
            }
            ValkeyServer listed = servers.with(user("default", "+ping")).start(release);
            try (RespConnection nobody = listed.connect()) {
                assertThat(nobody.call("PING")).startsWith("-NOAUTH");
                assertThat(nobody.call("AUTH", "default-pw")).isEqualTo("OK");
                assertThat(nobody.call("PING")).isEqualTo("PONG");
                assertThat(nobody.call("INFO")).startsWith("-NOPERM");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onePermissionDoesNotReachTheKeysOfAnother(Release release) {
        try (ValkeyServers servers = new ValkeyServers().with(user("app", "+@read ~a:*", "+@write %W~b:* &news"));
                GlideValkeyPort port = new GlideValkeyPort()) {
            ValkeyServer member = servers.start(release);
            new TestCluster(port, List.of(member)).form(1);
            try (RespConnection app = member.connect("app", "app-pw")) {
                assertThat(app.call("GET", "a:1")).isEmpty();
                assertThat(app.call("SET", "b:1", "x")).isEqualTo("OK");
                assertThat(app.call("SET", "a:1", "x")).startsWith("-NOPERM");
                assertThat(app.call("GET", "b:1")).startsWith("-NOPERM");
                assertThat(app.call("PUBLISH", "news", "x")).startsWith("-NOPERM");
                assertThat(app.call("CONFIG", "GET", "*")).startsWith("-NOPERM");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOperatorMayDoItsWorkAndNothingWithData(Release release) {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            ValkeyServer member = servers.start(release);
            new TestCluster(port, List.of(member)).form(1);
            try (RespConnection operator = member.connectAsOperator()) {
                assertThat(operator.call("ACL", "LOAD")).isEqualTo("OK");
                assertThat(operator.call("ACL", "LIST")).contains("user " + InternalUsers.REPLICATION + " on");
                assertThat(operator.call("CONFIG", "GET", "maxmemory")).startsWith("maxmemory");
                assertThat(operator.call("CONFIG", "SET", "maxmemory", "100mb")).isEqualTo("OK");
                assertThat(operator.call("INFO", "everything")).contains("run_id:");
                assertThat(operator.call("CLUSTER", "SHARDS")).contains("replication-offset");
                assertThat(operator.call("CLUSTER", "COUNTKEYSINSLOT", "5")).isEqualTo("0");
                for (String[] refused : List.of(
                        new String[] {"GET", "x"},
                        new String[] {"SET", "x", "y"},
                        new String[] {"FLUSHALL"},
                        new String[] {"EVAL", "return 1", "0"},
                        new String[] {"ACL", "SETUSER", "x"},
                        new String[] {"SHUTDOWN"},
                        new String[] {"KEYS", "*"})) {
                    assertThat(operator.call(refused)).as(refused[0]).startsWith("-NOPERM");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theReplicationUserMayNotShapeTheCluster(Release release) {
        try (ValkeyServers servers = new ValkeyServers()) {
            ValkeyServer member = servers.start(release);
            String password = servers.credentials().replication().reveal();
            try (RespConnection replication = member.connect(InternalUsers.REPLICATION, password)) {
                for (String[] refused : List.of(
                        new String[] {"CLUSTER", "MEET", "127.0.0.1", "1"},
                        new String[] {"CLUSTER", "FORGET", "x"},
                        new String[] {"CLUSTER", "RESET"},
                        new String[] {"CLUSTER", "FAILOVER"},
                        new String[] {"CLUSTER", "ADDSLOTS", "1"},
                        new String[] {"CLUSTER", "DELSLOTS", "1"},
                        new String[] {"CLUSTER", "SETSLOT", "1", "STABLE"},
                        new String[] {"CLUSTER", "REPLICATE", "x"},
                        new String[] {"CONFIG", "GET", "*"},
                        new String[] {"ACL", "LIST"},
                        new String[] {"INFO"},
                        new String[] {"GET", "x"})) {
                    assertThat(replication.call(refused))
                            .as(String.join(" ", refused))
                            .startsWith("-NOPERM");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPlannedFailoverNeedsNoMoreRights(Release release) {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            List<ValkeyServer> members = servers.start(release, 4);
            TestCluster cluster = new TestCluster(port, members);
            cluster.form(3);
            assertThat(members.get(0).call("SET", "{b}", "kept")).isEqualTo("OK");
            try (RespConnection operator = members.get(3).connectAsOperator()) {
                assertThat(operator.call("CLUSTER", "FAILOVER")).isEqualTo("OK");
            }
            Eventually.holds(
                    "the failover",
                    LIMIT,
                    () -> !cluster.report(members.get(3)).self().slots().isEmpty());
            cluster.awaitFormed(3);
            assertThat(members.get(3).call("GET", "{b}")).isEqualTo("kept");
            nothingWasRefused(members);
        }
    }

    /** Slots move with the rights of the two internal users, by whatever way the server knows. */
    @ParameterizedTest
    @EnumSource
    void slotsMoveWithTheInternalRightsAlone(Release release) {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            List<ValkeyServer> members = servers.start(release, 4);
            TestCluster cluster = new TestCluster(port, members);
            cluster.form(2);
            ValkeyServer source = members.get(0);
            ValkeyServer destination = members.get(1);
            int slot = Integer.parseInt(source.call("CLUSTER", "KEYSLOT", "{b}"));
            Dataset data = new Dataset("b");
            data.writeTo(source);
            String before = data.contents(source);
            TransactionWriter writer = new TransactionWriter(source, "{b}count", release == Release.V9_1);
            Eventually.holds(
                    "some writes", LIMIT, () -> !source.call("GET", "{b}count").isEmpty());
            cluster.move(source, destination, SlotSet.of(slot), method(release));
            Eventually.holds(
                    "the new owner",
                    LIMIT,
                    () -> cluster.report(destination).self().slots().size() == 8193);
            cluster.awaitFormed(2);
            long acknowledged = writer.acknowledged();
            assertThat(Long.parseLong(destination.call("GET", "{b}count"))).isEqualTo(acknowledged);
            destination.call("DEL", "{b}count");
            assertThat(data.contents(destination)).isEqualTo(before).contains("hello", "field", "member");
            assertThat(members.get(3).log()).doesNotContain("NOPERM");
            nothingWasRefused(members);
        }
    }

    private static MoveSlots.Method method(Release release) {
        return switch (release) {
            case V9_1 -> MoveSlots.Method.ATOMIC;
            case V8_1 -> MoveSlots.Method.KEY_BY_KEY;
        };
    }

    private static void nothingWasRefused(List<ValkeyServer> members) {
        assertThat(members)
                .allSatisfy(member -> assertThat(member.call("ACL", "LOG"))
                        .as("refused at %s", member)
                        .isEmpty());
    }
}
