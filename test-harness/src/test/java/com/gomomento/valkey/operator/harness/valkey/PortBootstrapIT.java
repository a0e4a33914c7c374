package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster is formed through the port alone, with the rights of the internal users alone. */
class PortBootstrapIT {

    @ParameterizedTest
    @EnumSource
    void formsThreeShardsWithAReplicaEach(Release release) {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            List<ValkeyServer> members = servers.start(release, 6);
            TestCluster cluster = new TestCluster(port, members);
            cluster.form(3);
            for (ValkeyServer member : members) {
                Reachable report = cluster.report(member);
                assertThat(ServerVersion.parse(report.version()).major()).isEqualTo(release == Release.V9_1 ? 9 : 8);
                assertThat(report.view().all())
                        .allSatisfy(seen -> assertThat(seen.ip()).isPresent());
                assertThat(report.role()).isEqualTo(members.indexOf(member) < 3 ? Role.PRIMARY : Role.REPLICA);
                assertThat(member.call("ACL", "LOG"))
                        .as("rights that were missing")
                        .isEmpty();
            }
            servesData(members);
            for (ValkeyServer holder : List.of(members.get(2), members.get(5))) {
                assertThat(cluster.report(holder).offset().bytes()).isPositive();
            }
            saysThatAllIsDone(cluster);
        }
    }

    private static void servesData(List<ValkeyServer> members) {
        // "foo" is in slot 12182, which the third share holds.
        assertThat(members.get(2).call("SET", "foo", "bar")).isEqualTo("OK");
        try (RespConnection replica = members.get(5).connect(ValkeyServers.TESTER, ValkeyServers.TESTER_PASSWORD)) {
            assertThat(replica.call("READONLY")).isEqualTo("OK");
            Eventually.holds(
                    "the replica's copy",
                    Duration.ofSeconds(5),
                    () -> replica.call("GET", "foo").equals("bar"));
        }
    }

    private static void saysThatAllIsDone(TestCluster cluster) {
        List<ValkeyAction> again = new ArrayList<>(cluster.claims(3));
        again.add(cluster.meeting());
        again.addAll(cluster.followings(3));
        assertThat(again)
                .hasSize(7)
                .allSatisfy(action ->
                        assertThat(cluster.run(action)).as(action.key()).isInstanceOf(ActionResult.AlreadyDone.class));
    }

    @ParameterizedTest
    @EnumSource
    void claimsAfterTheIntroductionWithEpochsThatDiffer(Release release) {
        try (ValkeyServers servers = new ValkeyServers();
                GlideValkeyPort port = new GlideValkeyPort()) {
            TestCluster cluster = new TestCluster(port, servers.start(release, 3));
            cluster.applied(List.of(cluster.meeting()));
            cluster.awaitIntroduced();
            cluster.applied(cluster.claims(3));
            cluster.awaitFormed(3);
        }
    }
}
