package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that was formed is touched only while all of its pods are Ready. A pod that has ended never gets Ready again, and
 * what would replace it is behind the gate.
 */
final class ReadyGate implements Planning {

    @Override
    public Plan plan(
            ClusterDeclaration declaration,
            Resolution resolution,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        Plan plan = Planner.plan(declaration, resolution, observation, published, ledger, now);
        boolean allReady = observation.kubernetes().pods().values().stream().allMatch(PodView::ready);
        boolean open = declaration.formedAt().isEmpty() || allReady;
        return new Plan(
                open ? plan.actions() : List.of(),
                plan.status(),
                plan.requeueAfter(),
                plan.reasons(),
                plan.events(),
                plan.ledger());
    }
}
