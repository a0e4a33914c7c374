package com.gomomento.valkey.operator.harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;

/**
 * A ValkeyCluster as the API server shows it; texts are empty and numbers 0 where nothing stands.
 *
 * @param name of the cluster
 * @param uid of the object
 * @param generation of the spec
 * @param deleting whether it was told to go
 * @param shards wished
 * @param replicasPerShard wished
 * @param state such as {@code Active}
 * @param message what is waited for
 * @param observedGeneration the generation that the status speaks of
 * @param ready {@code n/m}
 * @param readyNodes Active members with a ready pod
 * @param desiredNodes members asked for
 * @param servingShards {@code status.shards}
 * @param slotsAssigned slots served
 * @param version of the server
 * @param endpoint for clients
 * @param formedAt when the first slot was about to be claimed
 * @param nodes {@code status.nodes}
 * @param conditions {@code TYPE=STATUS} for each
 */
public record ClusterView(
        String name,
        String uid,
        long generation,
        boolean deleting,
        int shards,
        int replicasPerShard,
        String state,
        String message,
        long observedGeneration,
        String ready,
        int readyNodes,
        int desiredNodes,
        int servingShards,
        int slotsAssigned,
        String version,
        String endpoint,
        String formedAt,
        List<Node> nodes,
        List<String> conditions) {

    private static final int ALL_SLOTS = 16_384;

    /** Copies its lists. */
    public ClusterView {
        nodes = List.copyOf(nodes);
        conditions = List.copyOf(conditions);
    }

    /** A line of {@code status.nodes}. */
    public record Node(String name, int shard, String role, String lifecycle, boolean ready) {}

    static ClusterView of(GenericKubernetesResource object) {
        JsonNode json = Json.tree(object);
        JsonNode metadata = json.path("metadata");
        JsonNode spec = json.path("spec");
        JsonNode status = json.path("status");
        List<Node> nodes = new ArrayList<>();
        for (JsonNode node : status.path("nodes")) {
            nodes.add(new Node(
                    node.path("name").asText(),
                    node.path("shard").asInt(),
                    node.path("role").asText(),
                    node.path("lifecycle").asText(),
                    node.path("ready").asBoolean()));
        }
        List<String> conditions = new ArrayList<>();
        for (JsonNode condition : status.path("conditions")) {
            conditions.add(condition.path("type").asText() + "="
                    + condition.path("status").asText());
        }
        return new ClusterView(
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                metadata.path("generation").asLong(),
                metadata.has("deletionTimestamp"),
                spec.path("shards").asInt(),
                spec.path("replicasPerShard").asInt(),
                status.path("state").asText(),
                status.path("message").asText(),
                status.path("observedGeneration").asLong(),
                status.path("ready").asText(),
                status.path("readyNodes").asInt(),
                status.path("desiredNodes").asInt(),
                status.path("shards").asInt(),
                status.path("slotsAssigned").asInt(),
                status.path("version").asText(),
                status.path("endpoint").asText(),
                status.path("formedAt").asText(),
                nodes,
                conditions);
    }

    /** Members that the spec asks for. */
    public int members() {
        return shards * (1 + replicasPerShard);
    }

    /** STATE: what keeps this from being the status of an Active cluster at its present generation. */
    public List<String> notActive() {
        List<String> problems = new ArrayList<>();
        if (!state.equals("Active") || !message.isEmpty() || observedGeneration != generation) {
            problems.add("state '" + state + "' at generation " + observedGeneration + " of " + generation
                    + ", message '" + message + "'");
            return problems;
        }
        problems.addAll(contradictions());
        return problems;
    }

    /** Where the status contradicts itself: Active is a claim about everything else in it (invariant S18). */
    public List<String> contradictions() {
        List<String> problems = new ArrayList<>();
        boolean active = state.equals("Active");
        if (active && !message.isEmpty()) {
            problems.add("Active with the message '" + message + "'");
        }
        if (active && (slotsAssigned != ALL_SLOTS || readyNodes != desiredNodes || readyNodes != nodes.size())) {
            problems.add("Active with " + slotsAssigned + " slots, " + readyNodes + " of " + desiredNodes
                    + " nodes ready, " + nodes.size() + " listed");
        }
        if (active && observedGeneration == generation && desiredNodes != members()) {
            problems.add("Active at generation " + generation + " with " + desiredNodes
                    + " desired nodes, the spec asks for " + members());
        }
        if (!ready.equals(readyNodes + "/" + desiredNodes) && !state.isEmpty()) {
            problems.add("ready is " + ready + " with " + readyNodes + " of " + desiredNodes);
        }
        if (!state.isEmpty() && conditions.contains("Ready=True") != active) {
            problems.add("state " + state + " with conditions " + conditions);
        }
        if (observedGeneration > generation) {
            problems.add("observedGeneration " + observedGeneration + " is ahead of " + generation);
        }
        return problems;
    }
}
