package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.observe.Observation;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides the next step of a cluster: {@link Planner#plan}, or what an embedder puts around it, such as a planner that leaves
 * out actions which another of its parts takes care of. Must be a pure function of its arguments.
 */
@FunctionalInterface
public interface Planning {

    /**
     * Plans the next step; see {@link Planner#plan} for the arguments.
     *
     * @return what is to be done, told and remembered
     */
    Plan plan(
            ClusterDeclaration declaration,
            Resolution resolution,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now);
}
