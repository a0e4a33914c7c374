package com.gomomento.valkey.operator.kubernetes.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes what the operator owns in custom resources, for a JSON merge patch (RFC 7386): a value that there is none of now
 * is an explicit null, which removes it, and fields that others write ({@code formedAt}, {@code utilization}) are not
 * mentioned, which leaves them.
 */
public final class ResourceEncoder {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ResourceEncoder() {}

    /**
     * The {@code status} of a ValkeyCluster, without {@code formedAt}.
     *
     * @param status to be shown
     * @param current the object as it stands now: a condition that holds as before keeps its transition time
     * @param now the transition time of the other conditions
     */
    public static ObjectNode clusterStatus(ClusterStatus status, GenericKubernetesResource current, Instant now) {
        ObjectNode json = JSON.objectNode();
        json.put("state", Words.word(status.state()));
        json.put("message", status.message());
        json.put("observedGeneration", status.observedGeneration());
        json.set("conditions", conditions(status, current, now));
        json.put("shards", status.shards());
        json.set("nodes", nodes(status));
        json.put("readyNodes", status.readyNodes());
        json.put("desiredNodes", status.desiredNodes());
        json.put("ready", status.readyNodes() + "/" + status.desiredNodes());
        json.put("slotsAssigned", status.slotsAssigned());
        putOrNull(json, "version", status.version());
        json.put("endpoint", status.endpoint());
        json.put("selector", selector(current.getMetadata().getName()));
        return json;
    }

    /** The {@code status} of a ValkeyCluster, {@code formedAt} alone. */
    public static ObjectNode formed(Instant formedAt) {
        return JSON.objectNode().put("formedAt", time(formedAt));
    }

    /** The {@code spec} of a ValkeyNode. */
    public static ObjectNode nodeSpec(String clusterName, ShardId shard, int ordinal, Optional<NodeName> replaces) {
        ObjectNode json = JSON.objectNode();
        json.put("clusterName", clusterName);
        json.put("shard", shard.index());
        json.put("ordinal", ordinal);
        replaces.ifPresent(name -> json.put("replaces", name.value()));
        return json;
    }

    /** The {@code status} of a ValkeyNode, utilization aside. */
    public static ObjectNode nodeStatus(NodeRecord.Status status) {
        ObjectNode json = JSON.objectNode();
        json.put("lifecycle", Words.word(status.lifecycle()));
        putOrNull(json, "role", status.role().map(Words::word));
        putOrNull(json, "podUID", status.podUid());
        putOrNull(json, "podIP", status.podIp());
        putOrNull(json, "nodeId", status.nodeId().map(NodeId::value));
        return json;
    }

    /** The label selector that finds a cluster's pods, as the scale subresource shows it. */
    static String selector(String clusterName) {
        return "app.kubernetes.io/name=valkey,app.kubernetes.io/instance=" + clusterName;
    }

    private static ArrayNode conditions(ClusterStatus status, GenericKubernetesResource current, Instant now) {
        SortedMap<String, Transition> before = transitions(current);
        ArrayNode list = JSON.arrayNode();
        for (ClusterStatus.Condition condition : status.conditions()) {
            String holds = condition.holds() ? "True" : "False";
            Transition last = before.get(condition.type());
            Instant since = last != null && last.status().equals(holds) ? last.at() : now;
            list.addObject()
                    .put("type", condition.type())
                    .put("status", holds)
                    .put("observedGeneration", status.observedGeneration())
                    .put("lastTransitionTime", time(since))
                    .put("reason", condition.reason())
                    .put("message", condition.message());
        }
        return list;
    }

    private static ArrayNode nodes(ClusterStatus status) {
        ArrayNode list = JSON.arrayNode();
        for (ClusterStatus.Node node : status.nodes()) {
            ObjectNode line = list.addObject()
                    .put("name", node.name().value())
                    .put("shard", node.shard().index());
            node.role().ifPresent(role -> line.put("role", Words.word(role)));
            line.put("lifecycle", Words.word(node.lifecycle())).put("ready", node.ready());
        }
        return list;
    }

    /** What is known of the conditions that stand there; one that can't be read counts as not there. */
    private static SortedMap<String, Transition> transitions(GenericKubernetesResource current) {
        TreeMap<String, Transition> transitions = new TreeMap<>();
        try {
            Map<String, Object> top = current.getAdditionalProperties();
            for (Fields condition : Fields.root(top).object("status").objects("conditions")) {
                Optional<Instant> at = condition.time("lastTransitionTime");
                if (at.isPresent()) {
                    String status = condition.requiredText("status");
                    transitions.put(condition.requiredText("type"), new Transition(status, at.get()));
                }
            }
        } catch (UnreadableFieldException e) {
            // Nothing is lost but the age of conditions in a status that is about to be overwritten.
            return new TreeMap<>();
        }
        return transitions;
    }

    /** Whole seconds, as Kubernetes writes its times. */
    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static void putOrNull(ObjectNode json, String name, Optional<String> value) {
        value.ifPresentOrElse(text -> json.put(name, text), () -> json.putNull(name));
    }

    private record Transition(String status, Instant at) {}
}
