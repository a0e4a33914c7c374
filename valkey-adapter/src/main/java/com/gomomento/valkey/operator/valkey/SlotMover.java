package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Look;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Seen;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Unseen;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Moves slots key by key, see {@link SlotMove}. Looks at the target first: keys are sent to an address, and one that was
 * given to another pod must get none.
 */
final class SlotMover {

    private final ActionExecutor executor;

    /** Sources whose last batch of keys took too long. May be lost: the next batch will take too long again. */
    private final Set<NodeId> slow = ConcurrentHashMap.newKeySet();

    SlotMover(ActionExecutor executor) {
        this.executor = executor;
    }

    ActionResult run(Seen source, SortedMap<NodeName, Target> targets, MoveSlots action) {
        Target target = targets.get(action.target().name());
        if (target == null || !target.ip().equals(action.target().ip())) {
            return new Rejected(action.target().name() + " is no longer at "
                    + action.target().ip());
        }
        Look look = executor.look(target);
        return switch (look) {
            case Unseen unseen -> new Rejected(action.target().name() + ": " + unseen.reason());
            case Seen seen
            when !seen.now().id().equals(action.target().nodeId()) ->
                new Rejected("at the address of " + action.target().name() + " answers node "
                        + seen.now().id() + " instead of " + action.target().nodeId());
            case Seen seen
            when seen.now().role() != Role.PRIMARY ->
                new Rejected(action.target().name() + " is a replica and can't own slots");
            case Seen seen
            when major(source) > major(seen) ->
                new Rejected(action.target().name() + " has server "
                        + seen.now().version() + ", which can't read the keys of "
                        + source.now().version() + " on " + action.node());
            case Seen seen -> run(new SlotMove(executor, source, seen, target, slow), action);
        };
    }

    /** Keys travel in the form of the sender's own data files, and each major release has a form of its own. */
    private static int major(Seen node) {
        return ServerVersion.parse(node.now().version()).major();
    }

    private static ActionResult run(SlotMove move, MoveSlots action) {
        try {
            move.run(action.slots());
            return move.begun() ? new Applied() : new AlreadyDone();
        } catch (NoAnswer e) {
            return new Unknown(e.sentence());
        } catch (SlotMove.Stopped e) {
            return move.begun() ? new Unknown(e.sentence()) : new Rejected(e.sentence());
        }
    }
}
