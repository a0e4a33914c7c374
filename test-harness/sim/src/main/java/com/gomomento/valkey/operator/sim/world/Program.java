package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.plan.Guards;
import com.gomomento.valkey.operator.core.plan.Planner;
import com.gomomento.valkey.operator.core.plan.Planning;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import java.util.Optional;

/**
 * What decides in an operator: before a step, and before a command. Production's own, unless a test puts a known bug in its
 * place to see whether the world notices.
 *
 * @param planning of each step
 * @param guard of each command
 */
public record Program(Planning planning, Guard guard) {

    /** The operator as it is shipped. */
    public static final Program PRODUCTION = new Program(Planner::plan, new Guard() {});

    /** What is asked just before a command. */
    public interface Guard {

        /** Whether the command may be sent to the node that has just reported {@code now}. */
        default Guards.Verdict check(ValkeyAction action, NodeReport.Reachable now) {
            return Guards.check(action, now);
        }

        /**
         * Whether whoever gave {@code answer} at a peer's address is that peer (invariant S10).
         *
         * @param pod where the pod of the peer's name is to be found, if it runs
         */
        default boolean identified(ValkeyAction.Peer peer, Optional<ValkeyPort.Target> pod, NodeReport answer) {
            return pod.filter(there -> there.ip().equals(peer.ip())).isPresent()
                    && answer instanceof NodeReport.Reachable reachable
                    && reachable.id().equals(peer.nodeId());
        }
    }
}
