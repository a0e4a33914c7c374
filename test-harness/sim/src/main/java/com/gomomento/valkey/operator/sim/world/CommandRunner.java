package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import com.gomomento.valkey.operator.sim.valkey.Reply;
import com.gomomento.valkey.operator.sim.valkey.Server;
import com.gomomento.valkey.operator.sim.valkey.ValkeyNetwork;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Turns one action into the commands that the real adapter would send for it, and hands them to the server at once. */
final class CommandRunner {

    private final ValkeyNetwork network;
    private final CommandListener listener;
    private final BooleanSupplier goesOn;

    /** {@code goesOn} lets the time of one exchange pass, and tells whether a call of several still goes on. */
    CommandRunner(ValkeyNetwork network, CommandListener listener, BooleanSupplier goesOn) {
        this.network = network;
        this.listener = listener;
        this.goesOn = goesOn;
    }

    /**
     * Runs an action on whoever is at the address now.
     *
     * @param seen what the node said when its guards were checked
     * @param peers whom a meeting is about
     */
    ActionResult run(
            ValkeyPort.Target target, ValkeyAction action, NodeReport.Reachable seen, List<ValkeyAction.Peer> peers) {
        Optional<Server> found =
                network.at(target.ip()).filter(server -> server.answers() && server.admits(target.password()));
        if (found.isEmpty()) {
            return new ActionResult.Unknown("no answer within 2 s");
        }
        Server server = found.get();
        listener.before(action, server);
        ActionResult result = tell(server, action, seen, peers);
        if (result instanceof ActionResult.Applied || result instanceof ActionResult.Told) {
            listener.after(action, server);
        }
        boolean another = !server.id().equals(action.nodeId());
        return another ? new ActionResult.Unknown("another node answered in place of " + action.nodeId()) : result;
    }

    private ActionResult tell(
            Server server, ValkeyAction action, NodeReport.Reachable seen, List<ValkeyAction.Peer> peers) {
        return switch (action) {
            case ValkeyAction.Meet _ -> {
                peers.forEach(peer -> server.meet(peer.ip()));
                yield new ActionResult.Applied();
            }
            case ValkeyAction.ClaimSlots claim -> claim(server, claim, seen);
            case ValkeyAction.Replicate replicate -> result(server.replicate(replicate.primary()));
            case ValkeyAction.Forget forget -> forget(server, forget);
            case ValkeyAction.Failover failover -> result(server.failover(mode(failover.mode())));
            case ValkeyAction.MoveSlots move ->
                switch (move.method()) {
                    case ATOMIC ->
                        result(server.migrateSlots(move.slots(), move.target().nodeId()));
                    case KEY_BY_KEY -> moveKeyByKey(server, move);
                };
            case ValkeyAction.SetDirectives set -> setDirectives(server, set);
            case ValkeyAction.CloseSlots close -> close(server, close, seen);
        };
    }

    private static ActionResult claim(Server server, ValkeyAction.ClaimSlots claim, NodeReport.Reachable seen) {
        if (seen.view().size() > 1) {
            server.bumpEpoch();
        } else if (seen.self().epoch().value() == 0) {
            Reply epoch = server.setConfigEpoch(claim.epoch().value());
            if (!epoch.done()) {
                return result(epoch);
            }
        }
        SlotSet slots = claim.slots().minus(seen.self().slots());
        return result(server.addSlots(slots));
    }

    private ActionResult moveKeyByKey(Server server, ValkeyAction.MoveSlots move) {
        return network.at(move.target().ip())
                .map(target -> new SlotMover(server, target, goesOn).run(move))
                .orElse(new ActionResult.Rejected(move.target().name() + " does not answer"));
    }

    private static ActionResult setDirectives(Server server, ValkeyAction.SetDirectives set) {
        ActionResult result = result(server.configSet(set.changes()));
        return result instanceof ActionResult.Applied
                ? new ActionResult.Told(server.report(set.changes().keySet()).directives())
                : result;
    }

    private static ActionResult close(Server server, ValkeyAction.CloseSlots close, NodeReport.Reachable seen) {
        for (OpenSlot open : seen.self().openSlots()) {
            Reply reply = close.means(open) ? server.setSlotStable(open.slot()) : Reply.OK;
            if (!reply.done()) {
                return result(reply);
            }
        }
        return new ActionResult.Applied();
    }

    private static ActionResult forget(Server server, ValkeyAction.Forget forget) {
        Reply reply = server.forget(forget.forgotten());
        return reply.text().contains("Unknown node") ? new ActionResult.AlreadyDone() : result(reply);
    }

    private static Server.Failover mode(ValkeyAction.Failover.Mode mode) {
        return switch (mode) {
            case GRACEFUL -> Server.Failover.GRACEFUL;
            case TAKEOVER -> Server.Failover.TAKEOVER;
        };
    }

    private static ActionResult result(Reply reply) {
        return switch (reply.kind()) {
            case OK -> new ActionResult.Applied();
            case SILENCE, PAUSED -> new ActionResult.Unknown("no answer within 2 s");
            case MOVED, ASK, CLUSTERDOWN, ERROR -> new ActionResult.Rejected(reply.text());
        };
    }
}
