package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.Timeline;
import com.gomomento.valkey.operator.sim.kubernetes.ApiServer;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Machines;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.valkey.Server;
import com.gomomento.valkey.operator.sim.valkey.ValkeyNetwork;
import java.util.List;
import java.util.Optional;

/**
 * The models themselves, for those who check them.
 *
 * @param timeline the time
 * @param api what Kubernetes holds
 * @param machines what really runs
 * @param network the servers
 * @param roster whose they are
 */
public record Truth(Timeline timeline, ApiServer api, Machines machines, ValkeyNetwork network, Roster roster) {

    /** The ValkeyClusters that exist. */
    public List<Stored> clusters() {
        return api.list(Kind.CLUSTER);
    }

    /** The ValkeyCluster of a UID, if it exists. */
    public Optional<Stored> cluster(String uid) {
        return clusters().stream().filter(cluster -> cluster.uid().equals(uid)).findFirst();
    }

    /** Objects of a kind that a ValkeyCluster owns. */
    public List<Stored> owned(Kind kind, String clusterUid) {
        return api.list(kind).stream()
                .filter(object -> object.ownedBy(clusterUid))
                .toList();
    }

    /** Whether the pod in which a process runs, or ran, is still there. */
    public boolean podExists(Roster.Instance process) {
        return api.get(process.pod())
                .filter(pod -> pod.uid().equals(process.podUid()))
                .isPresent();
    }

    /** Whether the pod in which a process runs is there and meant to stay. */
    public boolean podStays(Roster.Instance process) {
        return api.get(process.pod())
                .filter(pod -> pod.uid().equals(process.podUid()) && !pod.terminating())
                .isPresent();
    }

    /** Slots that a process holds to be its own, whether it serves them now or not. */
    public static SlotSet ownSlots(Server server) {
        return server.ownSlots();
    }

    /** Slots that clients of a cluster can use now. */
    public SlotSet served(String clusterUid) {
        return SlotSet.union(roster.existing(clusterUid).stream()
                .map(instance -> instance.server().serves())
                .toList());
    }
}
