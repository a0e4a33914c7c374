package com.gomomento.valkey.operator.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** B25 and its kin: however a pod ends, another one takes its place under a new name, and the data that had a copy stays. */
@ScenarioTest
@LeavesOperatorAlone
class LostPodIT {

    private static final Duration FORMING = Duration.ofMinutes(2);
    private static final Duration HEALING = Duration.ofSeconds(90);

    @Test
    void replicasThatEndInAnyWay(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        Canaries canaries = cluster.writeCanaries();
        CommonChecks checks = scenario.check(cluster);
        Faults faults = scenario.faults();

        Pod evicted = cluster.member(0, false);
        faults.fail(evicted, "Evicted", "The node was low on resource: memory.");
        checks.replaced(evicted, HEALING);

        Pod misplaced = cluster.member(1, false);
        faults.fail(misplaced, "NodeAffinity", "Pod was rejected: Predicate NodeAffinity failed");
        checks.replaced(misplaced, HEALING);

        Pod rejected = cluster.member(2, false);
        faults.fail(rejected, "OutOfcpu", "Pod was rejected: Node didn't have enough resource: cpu");
        checks.replaced(rejected, HEALING);

        Pod succeeded = cluster.member(0, false);
        shutDown(succeeded);
        checks.replaced(succeeded, HEALING);

        Pod killed = cluster.member(1, false);
        faults.kill(killed);
        checks.replaced(killed, HEALING);

        Pod deleted = cluster.member(2, false);
        faults.delete(deleted);
        checks.replaced(deleted, HEALING);

        Pod vanished = cluster.member(0, false);
        faults.deleteAtOnce(vanished);
        checks.replaced(vanished, HEALING);

        canaries.assertAll();
        assertThat(scenario.history().podNames())
                .as("a pod for each that was lost")
                .hasSize(6 + 7);
    }

    @Test
    void primariesWithReplicaThatEndInAnyWay(Scenario scenario) throws IOException {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        Canaries canaries = cluster.writeCanaries();
        CommonChecks checks = scenario.check(cluster);
        Faults faults = scenario.faults();

        Pod killed = cluster.member(0, true);
        faults.kill(killed);
        checks.replaced(killed, HEALING);
        canaries.assertAll();

        Pod outOfMemory = cluster.member(1, true);
        useUpMemory(outOfMemory);
        checks.replaced(outOfMemory, HEALING);
        assertThat(scenario.history().events())
                .as("kubelet calls it by its name")
                .anyMatch(event -> event.what().contains("OOMKilled 137"));
        canaries.assertAll();

        Pod deleted = cluster.member(2, true);
        faults.delete(deleted);
        checks.replaced(deleted, HEALING);
        canaries.assertAll();

        Pod vanished = cluster.member(0, true);
        faults.deleteAtOnce(vanished);
        checks.replaced(vanished, HEALING);
        canaries.assertAll();

        assertThat(scenario.history().podNames())
                .as("a pod for each that was lost")
                .hasSize(6 + 4);
        assertThat(scenario.operatorLines())
                .anyMatch(line -> line.says("primary unhealthy but replicas exist, waiting for auto-failover"));
        checks.calm(Duration.ofSeconds(10));
    }

    @Test
    void evictionsOneAtATime(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        CommonChecks checks = scenario.check(cluster);
        Pod first = cluster.member(0, false);
        Pod second = cluster.member(1, false);
        Patience.until(
                FORMING,
                "the first eviction to be allowed",
                () -> scenario.faults().evict(first));
        assertThat(scenario.faults().evict(second))
                .as("a second eviction while the first pod is not replaced")
                .isFalse();
        checks.replaced(first, HEALING);
        Patience.until(
                HEALING,
                "the second eviction to be allowed",
                () -> scenario.faults().evict(second));
        checks.replaced(second, HEALING);
        assertThat(scenario.history().podNames()).hasSize(8);
    }

    @Test
    void serverThatDiesAgainAndAgain(Scenario scenario) {
        ValkeyClusterHandle cluster = scenario.formed("shop", 3, 1);
        String primary = cluster.member(0, true).getMetadata().getName();
        Set<String> before = scenario.history().podNames();
        Set<String> killed = new TreeSet<>();
        long mostDead = 0;
        String crashing = "";
        try (Writer writer = cluster.startWriter()) {
            long end = System.nanoTime() + Duration.ofSeconds(45).toNanos();
            while (System.nanoTime() < end) {
                for (Pod pod : cluster.livePods()) {
                    String name = pod.getMetadata().getName();
                    if (ValkeyClusterHandle.shardOf(pod) == 0 && !name.equals(primary) && killed.add(name)) {
                        Patience.pause(Duration.ofSeconds(2));
                        scenario.faults().kill(pod);
                    }
                }
                mostDead = Math.max(
                        mostDead,
                        cluster.pods().stream().filter(LostPodIT::isDead).count());
                String message = cluster.view().message();
                crashing = message.contains("soon after its start") ? message : crashing;
                Patience.pause(Duration.ofMillis(250));
            }
            assertThat(writer.failures()).as("shards with a primary serve on").isEmpty();
        }
        assertThat(crashing).as("the message names the node that dies").containsAnyOf(killed.toArray(new String[0]));
        assertThat(mostDead).as("dead pods at a time").isLessThanOrEqualTo(2);
        Set<String> made = scenario.history().podNames();
        made.removeAll(before);
        assertThat(made)
                .as("with doubled delays, 45 s have room for five or so")
                .hasSizeBetween(3, 7);
        scenario.check(cluster).settled(HEALING.plusSeconds(60));
    }

    private static boolean isDead(Pod pod) {
        return List.of("Failed", "Succeeded").contains(pod.getStatus().getPhase());
    }

    /** Ends a server in good order: exit code 0, phase Succeeded. */
    private static void shutDown(Pod pod) throws IOException {
        try (RespConnection connection = RespConnection.open(pod.getStatus().getPodIP(), Duration.ofSeconds(3))) {
            Reply reply = connection.call("SHUTDOWN", "NOSAVE");
            throw new ScenarioFailure("SHUTDOWN was answered: " + reply);
        } catch (EOFException e) {
            // It went without an answer, as it should.
        }
    }

    /** Has a server take more memory than its pod may have. */
    private static void useUpMemory(Pod pod) throws IOException {
        try (RespConnection connection = RespConnection.open(pod.getStatus().getPodIP(), Duration.ofSeconds(10))) {
            connection.call("CONFIG", "SET", "maxmemory", "0").text();
            for (int i = 0; true; i++) {
                Reply reply = connection.call("SETRANGE", "big:" + i, "300000000", "x");
                boolean elsewhere = reply instanceof Reply.Failure(String error) && error.startsWith("MOVED");
                if (!elsewhere) {
                    throw new ScenarioFailure("300 MB fitted into the pod: " + reply);
                }
            }
        } catch (EOFException | SocketException e) {
            // The kernel ended it.
        }
    }
}
