package com.gomomento.valkey.operator.harness.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.logs.GuestOperator;
import com.gomomento.valkey.operator.harness.scenario.AuditLog.Request;
import com.gomomento.valkey.operator.harness.scenario.LeavesOperatorAlone;
import com.gomomento.valkey.operator.harness.scenario.Patience;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import com.gomomento.valkey.operator.harness.scenario.ValkeyClusterHandle;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The shipped rights: enough for every journey of the run so far, and none more than is used. */
@ScenarioTest
@LeavesOperatorAlone
class RightsIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Rights that no journey has to show, each with its reason. */
    private static final Map<String, String> NOT_SEEN = Map.ofEntries(
            Map.entry(
                    "valkeyclusters.valkey.gomomento.com/finalizers update",
                    "asked about by the admission plug-in for owner references, where that is on"),
            Map.entry(
                    "valkeyclusters.valkey.gomomento.com get",
                    "reads past the mirror before a write that must not rest on old news"),
            Map.entry("valkeynodes.valkey.gomomento.com get", "reads past the mirror after a conflict"),
            Map.entry("pods get", "reads past the mirror after a conflict"),
            Map.entry("services get", "reads past the mirror after a conflict"),
            Map.entry("secrets get", "reads past the mirror after a conflict"),
            Map.entry("poddisruptionbudgets.policy get", "reads past the mirror after a conflict"),
            Map.entry(
                    "valkeyconfigs.valkey.gomomento.com get",
                    "looks past the mirror for a reference that is missing there"),
            Map.entry(
                    "valkeyimages.valkey.gomomento.com get",
                    "looks past the mirror for a reference that is missing there"),
            Map.entry(
                    "valkeyroles.valkey.gomomento.com get",
                    "looks past the mirror for a reference that is missing there"));

    /** A life that needs all of them; the requests of the other tests' clusters may help, and are judged too. */
    @Test
    void sufficeAndAreAllUsed(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.cluster("shop", 1, 1);
        scenario.check(cluster).settled(LIMIT);
        spoilWhatTheOperatorMade(scenario, cluster);
        scenario.faults().deleteAtOnce(cluster.member(0, false));
        scenario.check(cluster).settled(LIMIT);
        cluster.patch(Map.of("replicasPerShard", 0));
        scenario.check(cluster).settled(LIMIT);
        Patience.untilNone(
                LIMIT,
                "every shipped right to be used or excused",
                () -> unused(scenario).stream()
                        .filter(right -> !NOT_SEEN.containsKey(right))
                        .toList());

        assertThat(scenario.bench().audit().since(0)).isNotEmpty().noneMatch(Request::forbidden);
        assertThat(shipped(scenario)).as("excuses are about shipped rights").containsAll(NOT_SEEN.keySet());
        SortedSet<String> unused = unused(scenario);
        System.out.println("Shipped rights that this run has not used: " + unused);
    }

    /** What somebody else changed or deleted has to be made right again, which takes a write of each kind. */
    private static void spoilWhatTheOperatorMade(Scenario scenario, ValkeyClusterHandle cluster) {
        String namespace = cluster.namespace();
        String patch = "{\"metadata\":{\"labels\":{\"app.kubernetes.io/managed-by\":\"somebody\"}}}";
        for (String object :
                Set.of("service/shop", "configmap/shop-config", "secret/shop-access", "poddisruptionbudget/shop")) {
            scenario.bench().kubectl().run("-n", namespace, "patch", object, "--type=merge", "-p", patch);
        }
    }

    private static SortedSet<String> unused(Scenario scenario) {
        SortedSet<String> unused = shipped(scenario);
        for (Request request : scenario.bench().audit().since(0)) {
            unused.remove(right(request.group(), request.resource(), request.verb()));
            if (request.verb().equals("patch") && request.code() == 201) {
                // Server-side apply of what is not there yet.
                unused.remove(right(request.group(), request.resource(), "create"));
            }
        }
        return unused;
    }

    private static SortedSet<String> shipped(Scenario scenario) {
        SortedSet<String> rights = new TreeSet<>();
        for (PolicyRule rule :
                GuestOperator.shipped(scenario, ClusterRole.class).getRules()) {
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    rule.getVerbs().forEach(verb -> rights.add(right(group, resource, verb)));
                }
            }
        }
        return rights;
    }

    /** As {@code kubectl auth can-i --list} names them. */
    private static String right(String group, String resource, String verb) {
        String[] parts = resource.split("/", 2);
        String named = group.isEmpty() ? parts[0] : parts[0] + "." + group;
        return named + (parts.length == 2 ? "/" + parts[1] : "") + " " + verb;
    }
}
