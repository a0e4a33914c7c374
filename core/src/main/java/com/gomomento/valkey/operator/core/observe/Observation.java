package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeName;
import java.util.SortedMap;

/**
 * A cluster at one moment: Kubernetes' view and each member's own.
 *
 * @param kubernetes owned objects
 * @param reports by member; a member that is missing here was not asked
 */
public record Observation(KubernetesView kubernetes, SortedMap<NodeName, NodeReport> reports) {

    private static final NodeReport NOT_ASKED = new NodeReport.NotAsked();

    /** Copies the reports. */
    public Observation {
        reports = Check.sortedCopy(reports);
    }

    /** The member's report, {@link NodeReport.NotAsked} if there is none. */
    public NodeReport report(NodeName name) {
        return reports.getOrDefault(name, NOT_ASKED);
    }
}
