package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.plan.Ledger.DirectivesAnswer;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.SetDirectives;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Told;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Directives are set on servers that run, and what servers say to that is understood. */
class DirectivesIT extends RealServers {

    private static SortedMap<String, String> directives(Map<String, String> directives) {
        return new TreeMap<>(directives);
    }

    private static DirectivesAnswer.Verdict refused(SortedMap<String, String> changes, ActionResult result) {
        assertThat(result).isInstanceOf(Rejected.class);
        return DirectivesAnswer.refused(changes, ((Rejected) result).reason())
                .orElseThrow()
                .verdict();
    }

    @ParameterizedTest
    @EnumSource
    void allAreSetOrNone(Release release) {
        ValkeyServer server = servers.start(release, 1).getFirst();
        TestCluster cluster = new TestCluster(port, List.of(server));
        SortedMap<String, String> good = directives(Map.of(
                "maxmemory", "64mb", "maxmemory-policy", "allkeys-lru", "save", "", "notify-keyspace-events", "KEA"));
        ActionResult result = cluster.run(new SetDirectives(server.name(), cluster.id(server), good));
        assertThat(result).isInstanceOf(Told.class);
        SortedMap<String, String> told = ((Told) result).words();
        assertThat(told).containsEntry("maxmemory", "67108864").containsEntry("maxmemory-policy", "allkeys-lru");
        assertThat(told.keySet()).isEqualTo(good.keySet());

        SortedMap<String, String> half = directives(Map.of("hz", "many", "maxmemory", "32mb"));
        assertThat(refused(half, cluster.run(new SetDirectives(server.name(), cluster.id(server), half))))
                .isEqualTo(DirectivesAnswer.Verdict.REFUSED);
        Target asking = new Target(
                server.target().name(),
                server.target().ip(),
                server.target().port(),
                server.target().password(),
                new TreeSet<>(good.keySet()));
        cluster.targets().put(server.name(), asking);
        assertThat(cluster.report(server).directives()).isEqualTo(told);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsReadAtTheStartOnlyIsToldFromABadValue(Release release) {
        ValkeyServer server = servers.start(release, 1).getFirst();
        TestCluster cluster = new TestCluster(port, List.of(server));
        for (Map<String, String> change : List.of(
                Map.of("databases", "3"),
                Map.of("databases", "many"),
                Map.of("tcp-backlog", "100", "hz", "20"),
                Map.of("rename-command", "FLUSHALL nothing"),
                Map.of("no-such-directive", "yes"))) {
            SortedMap<String, String> changes = directives(change);
            assertThat(refused(changes, cluster.run(new SetDirectives(server.name(), cluster.id(server), changes))))
                    .as(changes.toString())
                    .isEqualTo(DirectivesAnswer.Verdict.AT_START_ONLY);
        }
        for (Map<String, String> change : List.of(
                Map.of("maxmemory-policy", "forget-everything"),
                Map.of("maxmemory", "lots"),
                Map.of("cluster-node-timeout", "-5"))) {
            SortedMap<String, String> changes = directives(change);
            assertThat(refused(changes, cluster.run(new SetDirectives(server.name(), cluster.id(server), changes))))
                    .as(changes.toString())
                    .isEqualTo(DirectivesAnswer.Verdict.REFUSED);
        }
    }
}
