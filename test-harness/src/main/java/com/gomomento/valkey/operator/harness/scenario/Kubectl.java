package com.gomomento.valkey.operator.harness.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** kubectl as a user runs it. */
public final class Kubectl {

    private final LocalCluster cluster;

    Kubectl(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Runs {@code kubectl arguments...} as the administrator and returns what it printed.
     *
     * @throws ScenarioFailure if it exits with another status than 0, with its words
     */
    public String run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "timeout",
                "60",
                cluster.binFolder().resolve("kubectl").toString(),
                "--kubeconfig=" + cluster.kubeconfig(),
                "--request-timeout=20s"));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        List.of("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY").forEach(builder.environment()::remove);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                throw new ScenarioFailure(
                        "kubectl " + String.join(" ", arguments) + " exited with " + status + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ScenarioFailure("interrupted", e);
        }
    }
}
