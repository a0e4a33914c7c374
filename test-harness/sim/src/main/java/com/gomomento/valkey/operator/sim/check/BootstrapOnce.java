package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * S17: the first slot is claimed only after the cluster was marked as formed; and one that has served all its slots starts
 * anew with none of them owned only if the journal says so.
 */
public final class BootstrapOnce extends Invariant {

    private static final Set<String> SAID = Set.of(
            "all nodes were lost with their data, forming an empty cluster",
            "every copy of a shard was lost, its slots come back empty",
            "slots have no owner left, they come back empty");

    private final Set<String> servedOnce = new TreeSet<>();
    private final Set<String> toldOf = new TreeSet<>();

    /** Looks at these models. */
    public BootstrapOnce(Truth truth) {
        super("S17 Bootstrap once", truth);
    }

    @Override
    public void moment() {
        for (Stored cluster : truth().clusters()) {
            if (!servedOnce.contains(cluster.uid())
                    && truth().served(cluster.uid()).equals(SlotSet.ALL)
                    && cluster.cluster().status().filter(HonestStatus::active).isPresent()) {
                servedOnce.add(cluster.uid());
            }
        }
    }

    @Override
    public void told(Journal.Entry entry) {
        if (SAID.contains(entry.message())) {
            toldOf.add(String.valueOf(entry.fields().get("cluster_name")));
        }
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (!(action instanceof ValkeyAction.ClaimSlots)) {
            return;
        }
        Optional<Stored> cluster =
                truth().roster().find(server.id()).flatMap(process -> truth().cluster(process.clusterUid()));
        if (cluster.isEmpty()) {
            return;
        }
        Stored formed = cluster.get();
        check(formed.cluster().formedAt().isPresent(), "slots are claimed before the cluster is marked as formed");
        boolean ownerless = truth().roster().existing(formed.uid()).stream()
                .allMatch(process -> Truth.ownSlots(process.server()).isEmpty());
        boolean anew = servedOnce.contains(formed.uid()) && ownerless;
        check(
                !anew || toldOf.contains(formed.key().name()),
                formed.key() + " starts anew, and the journal does not say that its data is lost");
    }
}
