package com.gomomento.valkey.operator.harness.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a person needs to understand a scenario that failed: what happened in which order, and how things stand now. */
public final class Timeline {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_LINES = 400;

    private Timeline() {}

    private record Entry(Instant at, String text) {}

    /** The whole story of a scenario, in lines. */
    public static String of(Scenario scenario) {
        List<Entry> entries = new ArrayList<>();
        scenario.history().events().forEach(event -> entries.add(new Entry(event.at(), "           " + event.what())));
        scenario.operatorLines().forEach(line -> entries.add(entry(line)));
        entries.sort(Comparator.comparing(Entry::at));
        List<String> lines = new ArrayList<>();
        lines.add("==== timeline of " + scenario.namespace());
        int skipped = Math.max(0, entries.size() - MAX_LINES);
        if (skipped > 0) {
            lines.add("(" + skipped + " earlier lines left out)");
        }
        entries.subList(skipped, entries.size()).forEach(entry -> lines.add(entry.at() + " " + entry.text()));
        scenario.clusters().forEach(cluster -> now(cluster, lines));
        warnings(scenario, lines);
        return String.join(System.lineSeparator(), lines);
    }

    private static Entry entry(OperatorLog.Line line) {
        Instant at = Instant.parse(line.writtenAt());
        try {
            JsonNode json = JSON.readTree(line.text());
            Instant saidAt = Instant.parse(json.path("timestamp").asText(line.writtenAt()));
            return new Entry(saidAt, "[operator] " + json.path("level").asText() + " " + json.path("fields"));
        } catch (JsonProcessingException e) {
            return new Entry(at, "[operator] " + line.text());
        }
    }

    private static void now(ValkeyClusterHandle cluster, List<String> lines) {
        lines.add("---- now: " + cluster.namespace() + "/" + cluster.name());
        try {
            lines.add("status " + cluster.find().map(ClusterView::toString).orElse("gone"));
            cluster.records()
                    .forEach(
                            record -> lines.add("record " + record.getMetadata().getName() + " "
                                    + Json.text(record, "status", "lifecycle") + " node "
                                    + Json.text(record, "status", "nodeId")
                                    + " replaces " + Json.text(record, "spec", "replaces")));
            for (Pod pod : cluster.pods()) {
                lines.add("pod " + pod.getMetadata().getName() + " "
                        + pod.getStatus().getPodIP() + " " + History.describe(pod));
            }
            cluster.livePods().forEach(pod -> lines.addAll(view(cluster, pod)));
        } catch (KubernetesClientException e) {
            lines.add("(the API server said: " + e.getMessage() + ")");
        }
    }

    private static void warnings(Scenario scenario, List<String> lines) {
        try {
            scenario.bench().client().v1().events().inNamespace(scenario.namespace()).list().getItems().stream()
                    .filter(event -> "Warning".equals(event.getType()))
                    .map(Timeline::describe)
                    .distinct()
                    .forEach(lines::add);
        } catch (KubernetesClientException e) {
            lines.add("(the API server said: " + e.getMessage() + ")");
        }
    }

    private static List<String> view(ValkeyClusterHandle cluster, Pod pod) {
        List<String> lines = new ArrayList<>();
        String name = pod.getMetadata().getName();
        try {
            ServerView view = ServerView.ask(name, pod.getStatus().getPodIP(), Optional.empty());
            lines.add("view of " + name + ": " + view.clusterInfo().get("cluster_state") + ", " + view.coveredSlots()
                    + " slots, link " + view.replication().getOrDefault("master_link_status", "-"));
            view.nodes().values().forEach(line -> lines.add("    " + line));
        } catch (IOException | ScenarioFailure e) {
            lines.add("view of " + name + " of " + cluster.name() + ": " + e.getMessage());
        }
        return lines;
    }

    private static String describe(Event event) {
        return "event " + event.getInvolvedObject().getKind() + "/"
                + event.getInvolvedObject().getName() + " " + event.getReason() + ": " + event.getMessage();
    }
}
