package com.gomomento.valkey.operator.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CourseTest {

    private static final long BUSY_SEED = 50;
    private static final long SEED_OF_MANY_DEATHS = 34;

    private static Scenario calm(int shards, int replicas) {
        return new Scenario(
                1,
                1,
                3,
                List.of(new Scenario.ClusterPlan(new ClusterKey("shop", "cache"), "9.1.2", shards, replicas)),
                List.of(),
                0);
    }

    @Test
    void aClusterIsFormedAndThenLeftAlone() {
        Course.Result result = Course.run(calm(3, 1), false);
        assertThat(result.violation()).isEmpty();
        assertThat(result.counters()).containsKey("said cluster formed, transitioning to Active");
    }

    @Test
    void twoOperatorsAtOnceFormAClusterAsOneDoes() {
        Scenario one = calm(3, 1);
        Scenario two = new Scenario(one.seed(), 2, one.machines(), one.clusters(), List.of(), 0);
        assertThat(Course.run(two, false).violation()).isEmpty();
    }

    /** Two operators remember different deaths, and both told of them for as long as they were to be told of. */
    @Test
    void twoOperatorsDoNotFightOverTheWordsOfAStatus() {
        Course.Result result = Course.run(Scenarios.draw(SEED_OF_MANY_DEATHS), false);
        long writes = result.counters().getOrDefault("write UPDATE CLUSTER", 0L);
        assertThat(writes).isBetween(1L, 5 * result.endedMillis() / 1_000);
    }

    @Test
    void theSameSeedGivesTheSameHistoryWhetherItIsKeptOrNot() {
        String first = Course.run(Scenarios.draw(BUSY_SEED), false).trace().hash();
        assertThat(Course.run(Scenarios.draw(BUSY_SEED), true).trace().hash()).isEqualTo(first);
        assertThat(Course.run(Scenarios.draw(BUSY_SEED + 1), false).trace().hash())
                .isNotEqualTo(first);
    }

    @Test
    void theSameSeedGivesTheSameHistoryInAnotherProcess() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("com.gomomento.valkey.operator.sim.run.Simulate", "--hash", Long.toString(BUSY_SEED)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .directory(new File("."))
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(output.strip())
                .isEqualTo(Course.run(Scenarios.draw(BUSY_SEED), false).trace().hash());
    }
}
