package com.gomomento.valkey.operator.kubernetes.resource;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes what the operator owns in custom resources, for a JSON merge patch (RFC 7386): a value that there is none of now
 * is an explicit null, which removes it, and fields that others write ({@code formedAt}, {@code utilization}) are not
 * mentioned, which leaves them.
 */
public final class ResourceEncoder {

    private ResourceEncoder() {}

    /**
     * The {@code status} of a ValkeyCluster, without {@code formedAt}.
     *
     * @param status to be shown
     * @param current the object as it stands now: a condition that holds as before keeps its transition time
     * @param now the transition time of the other conditions
     */
    public static SequencedMap<String, Object> clusterStatus(ClusterStatus status, CustomObject current, Instant now) {
        SequencedMap<String, Object> json = new LinkedHashMap<>();
        json.put("state", status.state().word());
        json.put("message", status.message());
        json.put("observedGeneration", status.observedGeneration());
        json.put("conditions", conditions(status, current, now));
        json.put("shards", status.shards());
        json.put("nodes", nodes(status));
        json.put("readyNodes", status.readyNodes());
        json.put("desiredNodes", status.desiredNodes());
        json.put("ready", status.readyNodes() + "/" + status.desiredNodes());
        json.put("slotsAssigned", status.slotsAssigned());
        putOrNull(json, "version", status.version());
        json.put("endpoint", status.endpoint());
        json.put("selector", selector(current.name()));
        return json;
    }

    /** The {@code status} of a ValkeyCluster, {@code formedAt} alone. */
    public static SequencedMap<String, Object> formed(Instant formedAt) {
        SequencedMap<String, Object> json = new LinkedHashMap<>();
        json.put("formedAt", time(formedAt));
        return json;
    }

    /** The {@code spec} of a ValkeyNode. */
    public static SequencedMap<String, Object> nodeSpec(
            String clusterName, ShardId shard, int ordinal, Optional<NodeName> replaces) {
        SequencedMap<String, Object> json = new LinkedHashMap<>();
        json.put("clusterName", clusterName);
        json.put("shard", shard.index());
        json.put("ordinal", ordinal);
        replaces.ifPresent(name -> json.put("replaces", name.value()));
        return json;
    }

    /** The {@code status} of a ValkeyNode, utilization aside. */
    public static SequencedMap<String, Object> nodeStatus(NodeRecord.Status status) {
        SequencedMap<String, Object> json = new LinkedHashMap<>();
        json.put("lifecycle", status.lifecycle().word());
        putOrNull(json, "role", status.role().map(Role::word));
        putOrNull(json, "podUID", status.podUid());
        putOrNull(json, "podIP", status.podIp());
        putOrNull(json, "nodeId", status.nodeId().map(NodeId::value));
        return json;
    }

    /** The label selector that finds a cluster's pods, as the scale subresource shows it. */
    static String selector(String clusterName) {
        return "app.kubernetes.io/name=valkey,app.kubernetes.io/instance=" + clusterName;
    }

    private static List<Object> conditions(ClusterStatus status, CustomObject current, Instant now) {
        SortedMap<String, Transition> before = transitions(current);
        List<Object> list = new ArrayList<>();
        for (ClusterStatus.Condition condition : status.conditions()) {
            String holds = condition.holds() ? "True" : "False";
            Transition last = before.get(condition.type());
            Instant since = last != null && last.status().equals(holds) ? last.at() : now;
            SequencedMap<String, Object> json = new LinkedHashMap<>();
            json.put("type", condition.type());
            json.put("status", holds);
            json.put("observedGeneration", status.observedGeneration());
            json.put("lastTransitionTime", time(since));
            json.put("reason", condition.reason());
            json.put("message", condition.message());
            list.add(json);
        }
        return list;
    }

    private static List<Object> nodes(ClusterStatus status) {
        List<Object> list = new ArrayList<>();
        for (ClusterStatus.Node node : status.nodes()) {
            SequencedMap<String, Object> line = new LinkedHashMap<>();
            line.put("name", node.name().value());
            line.put("shard", node.shard().index());
            node.role().ifPresent(role -> line.put("role", role.word()));
            line.put("lifecycle", node.lifecycle().word());
            line.put("ready", node.ready());
            list.add(line);
        }
        return list;
    }

    /** What is known of the conditions that stand there; one that can't be read counts as not there. */
    private static SortedMap<String, Transition> transitions(CustomObject current) {
        TreeMap<String, Transition> transitions = new TreeMap<>();
        try {
            for (Fields condition :
                    Fields.root(current.content()).object("status").objects("conditions")) {
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

    private static void putOrNull(SequencedMap<String, Object> json, String name, Optional<String> value) {
        json.put(name, value.orElse(null));
    }

    private record Transition(String status, Instant at) {}
}
