package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.plan.Guards;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Meet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Peer;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Told;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Seen;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Unseen;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * {@code CLUSTER MEET} with each peer's identity checked at its address (invariant S10): the command takes an address only,
 * and an address that was given to another cluster's pod would merge the two clusters for good.
 *
 * <p>A peer that can't be checked is left out and keeps no other from being met. If some were met and some were not, the
 * result is {@code Unknown}, which makes the caller look again.
 */
final class Introduction {

    private final ActionExecutor executor;
    private final FanOut fanOut;
    private final GlideValkeyPort.Settings settings;

    Introduction(ActionExecutor executor, FanOut fanOut, GlideValkeyPort.Settings settings) {
        this.executor = executor;
        this.fanOut = fanOut;
        this.settings = settings;
    }

    /** What checking one peer gave. */
    private sealed interface Check {}

    /** It is who it must be. */
    private record Verified(Target target) implements Check {}

    /** It can't be met now. */
    private record Doubtful(String reason) implements Check {}

    ActionResult run(Seen seen, SortedMap<NodeName, Target> targets, Meet action) {
        List<Peer> strangers = action.peers().stream()
                .filter(peer -> !Guards.met(seen.now(), peer))
                .toList();
        List<Check> checks = fanOut.all(
                strangers,
                settings.longestObservation(),
                peer -> check(targets, peer),
                (peer, failure) -> new Doubtful(peer.name() + ": " + failure));
        List<List<String>> commands = new ArrayList<>();
        List<String> unmet = new ArrayList<>();
        for (Check check : checks) {
            switch (check) {
                case Verified peer -> commands.add(meet(peer.target()));
                case Doubtful peer -> unmet.add(peer.reason());
            }
        }
        int met = 0;
        for (ActionResult result : commands.isEmpty() ? List.<ActionResult>of() : executor.tellAll(seen, commands)) {
            switch (result) {
                case Applied applied -> met++;
                case AlreadyDone done -> met++;
                case Told told -> throw new IllegalStateException("a meeting tells nothing");
                case Rejected rejected -> unmet.add(rejected.reason());
                case Unknown unknown -> {
                    return unknown;
                }
            }
        }
        return summary(met, unmet);
    }

    private static ActionResult summary(int met, List<String> unmet) {
        if (unmet.isEmpty()) {
            return new Applied();
        }
        String reasons = String.join("; ", unmet);
        return met == 0
                ? new Rejected("nobody was met: " + reasons)
                : new Unknown(met + " peers were met, " + unmet.size() + " not: " + reasons);
    }

    private Check check(SortedMap<NodeName, Target> targets, Peer peer) {
        Target target = targets.get(peer.name());
        if (target == null || !target.ip().equals(peer.ip())) {
            return new Doubtful(peer.name() + " is no longer at " + peer.ip());
        }
        return switch (executor.look(target)) {
            case Seen seen when seen.now().id().equals(peer.nodeId()) -> new Verified(target);
            case Seen stranger ->
                new Doubtful("at the address of " + peer.name() + " answers node "
                        + stranger.now().id() + " instead of " + peer.nodeId());
            case Unseen unseen -> new Doubtful(peer.name() + ": " + unseen.reason());
        };
    }

    /** The bus port is left to the server, which takes the client port plus 10000, as our members do. */
    private static List<String> meet(Target peer) {
        return List.of("CLUSTER", "MEET", peer.ip(), Integer.toString(peer.port()));
    }
}
