package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.observe.PodView;

/**
 * An operator that has just started believes what the status says: Creating means that an earlier process was cut off in the
 * middle, so everything is removed and creation begins again. The status may be older than the cluster, which serves already.
 */
final class StoredPhase implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        boolean justStarted = situation.ledger.lastGood().isEmpty();
        boolean creating = situation
                .published
                .filter(status -> status.state() == ClusterState.CREATING)
                .isPresent();
        if (justStarted && creating) {
            for (PodView pod : situation.observation.kubernetes().pods().values()) {
                draft.act(new KubernetesAction.DeletePod(pod.name(), pod.uid(), 0));
            }
        }
    }
}
