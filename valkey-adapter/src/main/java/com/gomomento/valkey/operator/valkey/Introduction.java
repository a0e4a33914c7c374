package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Meet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Peer;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Look;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Seen;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Unseen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    Introduction(ActionExecutor executor, FanOut fanOut) {
        this.executor = executor;
        this.fanOut = fanOut;
    }

    ActionResult run(Seen seen, SortedMap<NodeName, Target> targets, Meet action) {
        List<Peer> strangers =
                action.peers().stream().filter(peer -> !isKnown(seen, peer)).toList();
        if (strangers.isEmpty()) {
            return new AlreadyDone();
        }
        List<Optional<String>> objections = fanOut.all(
                strangers,
                peer -> objection(targets, peer),
                (peer, failure) -> Optional.of(peer.name() + ": " + failure));
        int met = 0;
        List<String> unmet = new ArrayList<>();
        for (int i = 0; i < strangers.size(); i++) {
            Peer peer = strangers.get(i);
            ActionResult result =
                    objections.get(i).<ActionResult>map(Rejected::new).orElseGet(() -> meet(seen, targets, peer));
            switch (result) {
                case Applied applied -> met++;
                case AlreadyDone done -> met++;
                case Rejected rejected -> unmet.add(rejected.reason());
                case Unknown unknown -> {
                    return unknown;
                }
            }
        }
        if (unmet.isEmpty()) {
            return new Applied();
        }
        String reasons = String.join("; ", unmet);
        return met == 0
                ? new Rejected("nobody was met: " + reasons)
                : new Unknown(met + " of " + strangers.size() + " peers were met: " + reasons);
    }

    private static boolean isKnown(Seen seen, Peer peer) {
        MemberBelief known = seen.table().members().get(peer.nodeId());
        return known != null && !known.handshake() && known.ip().equals(Optional.of(peer.ip()));
    }

    private Optional<String> objection(SortedMap<NodeName, Target> targets, Peer peer) {
        Target target = targets.get(peer.name());
        if (target == null || !target.ip().equals(peer.ip())) {
            return Optional.of(peer.name() + " is no longer at " + peer.ip());
        }
        Look look = executor.look(target, peer.nodeId());
        return switch (look) {
            case Seen known -> Optional.empty();
            case Unseen unseen -> Optional.of(peer.name() + ": " + unseen.reason());
        };
    }

    private ActionResult meet(Seen seen, SortedMap<NodeName, Target> targets, Peer peer) {
        Target target = targets.get(peer.name());
        if (target == null) {
            return new Rejected(peer.name() + " is no longer at " + peer.ip());
        }
        return executor.tell(seen, List.of("CLUSTER", "MEET", peer.ip(), Integer.toString(target.port())));
    }
}
