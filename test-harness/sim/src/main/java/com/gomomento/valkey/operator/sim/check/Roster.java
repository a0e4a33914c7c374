package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every server process that was ever started, and whose it was. */
public final class Roster {

    private final Map<NodeId, Instance> byId = new LinkedHashMap<>();

    /**
     * One process.
     *
     * @param pod in which it ran
     * @param podUid of that pod
     * @param clusterUid that owned the pod
     * @param shard that it was made for
     * @param server the process
     */
    public record Instance(ObjectKey pod, String podUid, String clusterUid, ShardId shard, Server server) {

        /** Whether the process still exists, be it frozen. */
        public boolean exists() {
            return !server.hasEnded();
        }

        @Override
        public String toString() {
            return pod.name() + " (" + server.id().value().substring(0, 8) + ")";
        }
    }

    /** Notes a start. */
    public void started(Instance instance) {
        byId.put(instance.server().id(), instance);
    }

    /** Who has, or had, this id. */
    public Optional<Instance> find(NodeId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Everybody, dead or alive. */
    public Collection<Instance> all() {
        return byId.values();
    }

    /** The processes of a cluster that exist. */
    public List<Instance> existing(String clusterUid) {
        return byId.values().stream()
                .filter(instance -> instance.clusterUid().equals(clusterUid) && instance.exists())
                .toList();
    }

    /** The process in a pod, if it exists. */
    public Optional<Instance> inPod(String podUid) {
        return byId.values().stream()
                .filter(instance -> instance.podUid().equals(podUid) && instance.exists())
                .findFirst();
    }
}
