package com.gomomento.valkey.operator.harness.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.harness.scenario.DisturbsOperator;
import com.gomomento.valkey.operator.harness.scenario.LocalCluster;
import com.gomomento.valkey.operator.harness.scenario.Manifests;
import com.gomomento.valkey.operator.harness.scenario.OperatorLog;
import com.gomomento.valkey.operator.harness.scenario.Patience;
import com.gomomento.valkey.operator.harness.scenario.Scenario;
import com.gomomento.valkey.operator.harness.scenario.ScenarioTest;
import com.gomomento.valkey.operator.harness.scenario.ValkeyClusterHandle;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command that a page shows is run, in the order of the pages, against this instance; those that would end it or are
 * this run themselves are on a list, each with its reason. One of them restarts the operator.
 */
@ScenarioTest
@DisturbsOperator
class CommandsIT {

    private static final Duration FORMED = Duration.ofMinutes(2);
    private static final int LIMIT_S = 150;

    /** Commands that are not run here, and why that proves them all the same. */
    private static final Map<String, String> NOT_HERE = Map.of(
            "./dev up", "the start of this instance takes the same steps, and ./dev test local runs it",
            "./dev down", "this instance ends with it, and ./dev test local runs it",
            "./dev test", "it runs this test",
            "./dev test quick", "a tier of ./dev test",
            "./dev maven -q -pl core test -Dtest=PlanTranscriptTest -Dtest.jvm.args=-Dtranscripts.write=true",
                    "writes into the checkout; ./dev test quick runs the same test without writing",
            "git diff core/src/test/resources/plans", "shows what the line before it wrote");

    /** A pod that a page names, of a cluster that this test makes. */
    private static final String POD_ON_THE_PAGE = "my-cluster-8c04d";

    @TempDir
    private Path folder = Path.of(".");

    @Test
    void doWhatThePagesSay(Scenario scenario) throws IOException, InterruptedException {
        LocalCluster instance = scenario.bench().cluster();
        scenario.bench().kubectl().run("apply", "-f", sample().toString());
        ValkeyClusterHandle myCluster = clusterOfTheLogPage(scenario);
        try {
            Patience.untilNone(
                    FORMED,
                    "my-cluster to be Active",
                    () -> scenario.check(myCluster).state());
            String pod = myCluster.livePods().getFirst().getMetadata().getName();
            Files.writeString(folder.resolve("log"), operatorLog(scenario));
            List<String> failures = new ArrayList<>();
            int run = 0;
            for (String command : commands()) {
                if (!NOT_HERE.containsKey(command)) {
                    failures.addAll(run(instance, command.replace(POD_ON_THE_PAGE, pod)));
                    run++;
                }
            }
            assertThat(failures).isEmpty();
            assertThat(run).as("commands that were run").isGreaterThan(10);
        } finally {
            restore(scenario);
        }
    }

    @Test
    void manifestsOnPagesApply(Scenario scenario) throws IOException {
        int applied = 0;
        for (String page : Pages.all()) {
            for (Pages.Block block : Pages.blocks(page, "yaml")) {
                if (block.commands().contains("apiVersion:")) {
                    Path file = folder.resolve("manifest-" + applied + ".yaml");
                    Files.writeString(file, block.commands());
                    scenario.bench().kubectl().run("apply", "--dry-run=server", "-f", file.toString());
                    applied++;
                }
            }
        }
        assertThat(applied).isPositive();
    }

    @Test
    void onlyWhatThePagesShowIsExcused() {
        assertThat(commands()).containsAll(NOT_HERE.keySet());
    }

    private static List<String> commands() {
        return Pages.all().stream()
                .flatMap(page -> Pages.blocks(page, "sh").stream())
                .flatMap(block -> block.commands().replace("\\\n", " ").lines())
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(String::strip)
                .toList();
    }

    /** What docs/LOGGING.md speaks of. */
    private static ValkeyClusterHandle clusterOfTheLogPage(Scenario scenario) {
        scenario.bench()
                .client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("my-app")
                        .endMetadata()
                        .build())
                .serverSideApply();
        return scenario.handle("my-app", "my-cluster").create(Manifests.cluster(scenario.plainConfig(), 1, 0));
    }

    /** A log with at least one line for every filter on the page. */
    private static String operatorLog(Scenario scenario) {
        List<OperatorLog.Line> lines = Patience.untilFound(
                Duration.ofSeconds(60),
                "a heartbeat of my-cluster",
                () -> Optional.of(scenario.bench().log().of("my-app"))
                        .filter(found -> found.stream().anyMatch(line -> line.says("ACL reconcile tick"))));
        String warning = lines.getFirst().text().replaceFirst("\"level\":\"INFO\"", "\"level\":\"WARN\"");
        return lines.stream().map(OperatorLog.Line::text).collect(Collectors.joining("\n")) + "\n" + warning + "\n";
    }

    /** Runs it as a user would, from the root of the checkout; a sentence if it fails. */
    private List<String> run(LocalCluster instance, String command) throws IOException, InterruptedException {
        String here = command.replaceFirst("^\\./dev ", "./dev --name " + instance.instance() + " ");
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder("timeout", Integer.toString(LIMIT_S), "bash", "-c", here)
                .directory(Pages.ROOT.toFile())
                .redirectInput(command.startsWith("jq ") ? folder.resolve("log").toFile() : new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(LIMIT_S + 10L, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return List.of(here + " did not end within " + LIMIT_S + " s");
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            return List.of(here + " exited with " + process.exitValue() + ": " + said);
        }
        return said.isBlank() ? List.of(here + " printed nothing") : List.of();
    }

    private static Path sample() {
        return Pages.ROOT.resolve("deploy/samples/cluster-3x1.yaml");
    }

    /** The pages' commands change the operator's environment and leave a sample behind. */
    private static void restore(Scenario scenario) {
        scenario.bench().kubectl().run("delete", "--ignore-not-found", "-f", sample().toString());
        scenario.bench().client().namespaces().withName("my-app").delete();
        scenario.bench()
                .kubectl()
                .run("apply", "-f", Pages.ROOT.resolve("deploy/operator.yaml").toString());
        scenario.bench().operator().awaitRunning(1);
    }
}
