package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Instant;
import java.util.Optional;

/** The status is Active when as many pods are Ready as were asked for, whether or not their servers form a cluster. */
final class ActiveWhenReady implements Planning {

    @Override
    public Plan plan(
            ClusterDeclaration declaration,
            Resolution resolution,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        Plan plan = Planner.plan(declaration, resolution, observation, published, ledger, now);
        ClusterStatus said = plan.status();
        long ready = observation.kubernetes().pods().values().stream()
                .filter(PodView::ready)
                .count();
        ClusterStatus told = new ClusterStatus(
                ready == said.desiredNodes() ? ClusterState.ACTIVE : said.state(),
                said.message(),
                said.observedGeneration(),
                said.conditions(),
                said.shards(),
                said.nodes(),
                said.readyNodes(),
                said.desiredNodes(),
                said.slotsAssigned(),
                said.version(),
                said.endpoint());
        return new Plan(plan.actions(), told, plan.requeueAfter(), plan.reasons(), plan.events(), plan.ledger());
    }
}
