package com.gomomento.valkey.operator.core.port;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import java.util.List;
import java.util.Optional;

/** Kubernetes, as the core sees it. */
public interface KubernetesPort {

    /**
     * Everything known of one cluster, own writes included: an object that was written through this port is seen at once,
     * whatever the lag of watches.
     *
     * @return empty when there is no such ValkeyCluster
     */
    Snapshot observe(ClusterKey key);

    /**
     * Runs independent actions for {@code owner}, at the same time where that is quicker.
     *
     * @return one result an action, in the order of {@code actions}
     */
    List<ActionResult> execute(ClusterDeclaration owner, List<KubernetesAction> actions);

    /**
     * Writes {@code status}, except {@code formedAt}, if it differs from what is there. What is there must still be what the
     * decision was made from: where another operator has written meanwhile, its status stays, and the result is
     * {@code Rejected}.
     *
     * @param observed the status that stood there when it was decided; empty for none
     * @param status to be shown
     */
    ActionResult publish(ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus status);

    /** What {@link #observe} gives. */
    sealed interface Snapshot {}

    /** There is no such ValkeyCluster. */
    record Gone() implements Snapshot {}

    /** The ValkeyCluster exists and could not be decoded; nothing of it may be touched. */
    record Undecodable(String reason) implements Snapshot {}

    /**
     * The ValkeyCluster and what belongs to it.
     *
     * @param declaration as its user wrote it
     * @param catalog what it may refer to
     * @param view what its UID owns
     * @param published the status that stands there now; empty before the first
     */
    record Present(
            ClusterDeclaration declaration, Catalog catalog, KubernetesView view, Optional<ClusterStatus> published)
            implements Snapshot {}
}
