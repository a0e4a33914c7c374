package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.ClaimSlots;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Forget;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Replicate;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Runs one action: look at the node, check the guard, then tell it, all on one connection.
 *
 * <p>Valkey has no compare-and-set, so a guard can be outrun in the moment between look and command. Each command therefore
 * travels with {@code CLUSTER MYID}; should another node have answered, the result is {@code Unknown}, not a success.
 * When the look gets no answer nothing was sent that changes anything, so that is {@code Rejected}; when the command gets
 * none, it is {@code Unknown}.
 */
final class ActionExecutor {

    private static final List<String> MYID = List.of("CLUSTER", "MYID");
    private static final List<String> NODES = List.of("CLUSTER", "NODES");

    private final Connections connections;
    private final Introduction introduction;
    private final GlideValkeyPort.Settings settings;

    ActionExecutor(Connections connections, FanOut fanOut, GlideValkeyPort.Settings settings) {
        this.connections = connections;
        this.settings = settings;
        this.introduction = new Introduction(this, fanOut, settings);
    }

    /** What a node says of itself before it is told anything. */
    sealed interface Look {}

    /** It is who it must be. */
    record Seen(AdminConnection connection, NodesTable table) implements Look {}

    /** It could not be asked, or is somebody else. */
    record Unseen(String reason) implements Look {}

    /** Runs {@code action}. */
    ActionResult run(SortedMap<NodeName, Target> targets, ValkeyAction action) {
        Target target = targets.get(action.node());
        if (target == null) {
            return new Rejected("no address of " + action.node() + " is known");
        }
        return switch (look(target, action.nodeId())) {
            case Unseen unseen -> new Rejected(action.node() + ": " + unseen.reason());
            case Seen seen ->
                switch (action) {
                    case ValkeyAction.Meet meet -> introduction.run(seen, targets, meet);
                    case ClaimSlots claim -> claim(seen, claim);
                    case Replicate replicate -> replicate(seen, replicate);
                    case Forget forget -> forget(seen, forget);
                };
        };
    }

    /** Asks a server who it is and whom it knows. */
    Look look(Target target, NodeId expected) {
        List<Reply> replies;
        AdminConnection connection;
        try {
            connection = connections.to(target);
            replies = connection.ask(List.of(MYID, NODES), settings.observe());
        } catch (NoAnswer e) {
            return new Unseen("not asked before the command, " + e.sentence());
        }
        List<String> texts = new ArrayList<>();
        for (Reply reply : replies) {
            switch (reply) {
                case Reply.Text text -> texts.add(text.value());
                case Reply.Refusal refusal -> {
                    return new Unseen(refusal.words());
                }
            }
        }
        if (!texts.get(0).equals(expected.value())) {
            return new Unseen("at " + target.ip() + ":" + target.port() + " answers node " + texts.get(0)
                    + " instead of " + expected);
        }
        try {
            return new Seen(connection, NodesTable.parse(texts.get(1)));
        } catch (MalformedReply e) {
            return new Unseen(e.sentence());
        }
    }

    private ActionResult tell(Seen seen, List<String> command) {
        return tellAll(seen, List.of(command)).getFirst();
    }

    /**
     * Sends commands, in one round trip, to a node that was looked at.
     *
     * @return one result a command
     */
    List<ActionResult> tellAll(Seen seen, List<List<String>> commands) {
        List<List<String>> all = new ArrayList<>(List.of(MYID));
        all.addAll(commands);
        List<Reply> replies;
        try {
            replies = seen.connection().ask(all, settings.command());
        } catch (NoAnswer e) {
            return Collections.nCopies(commands.size(), new Unknown(e.sentence()));
        }
        if (!replies.getFirst().equals(new Reply.Text(seen.table().self().value()))) {
            Unknown stranger = new Unknown(
                    "another node answered in place of " + seen.table().self());
            return Collections.nCopies(commands.size(), stranger);
        }
        return replies.stream().skip(1).map(ActionExecutor::result).toList();
    }

    private static ActionResult result(Reply reply) {
        return switch (reply) {
            case Reply.Text done -> new Applied();
            case Reply.Refusal refusal -> new Rejected(refusal.words());
        };
    }

    private ActionResult claim(Seen seen, ClaimSlots action) {
        MemberBelief own = seen.table().own();
        if (own.role() != Role.PRIMARY) {
            return new Rejected(action.node() + " is a replica and can't own slots");
        }
        if (own.slots().containsAll(action.slots())) {
            return new AlreadyDone();
        }
        Optional<MemberBelief> rival = seen.table().members().values().stream()
                .filter(member ->
                        !member.id().equals(own.id()) && member.slots().intersects(action.slots()))
                .findFirst();
        if (rival.isPresent()) {
            SlotSet free = action.slots().minus(rival.get().slots());
            return new Rejected("slots " + action.slots().minus(free) + " are owned by "
                    + rival.get().id());
        }
        return switch (separateEpoch(seen, action)) {
            case Applied done -> tell(seen, addSlots(action.slots().minus(own.slots())));
            case AlreadyDone done -> tell(seen, addSlots(action.slots().minus(own.slots())));
            case Rejected rejected -> rejected;
            case Unknown unknown -> unknown;
        };
    }

    /** Invariant S11. A node that knows nobody takes any epoch, once; later only the engine can find one that is free. */
    private ActionResult separateEpoch(Seen seen, ClaimSlots action) {
        if (seen.table().members().size() > 1) {
            return tell(seen, List.of("CLUSTER", "BUMPEPOCH"));
        }
        return seen.table().own().epoch().value() == 0
                ? tell(
                        seen,
                        List.of(
                                "CLUSTER",
                                "SET-CONFIG-EPOCH",
                                Long.toString(action.epoch().value())))
                : new AlreadyDone();
    }

    private static List<String> addSlots(SlotSet slots) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTSRANGE"));
        slots.ranges().forEach(range -> {
            command.add(Integer.toString(range.first()));
            command.add(Integer.toString(range.last()));
        });
        return List.copyOf(command);
    }

    private ActionResult replicate(Seen seen, Replicate action) {
        MemberBelief own = seen.table().own();
        if (!own.slots().isEmpty()) {
            return new Rejected(action.node() + " owns slots " + own.slots() + " and can't become a replica");
        }
        if (own.primary().equals(Optional.of(action.primary()))) {
            return new AlreadyDone();
        }
        if (!seen.table().members().containsKey(action.primary())) {
            return new Rejected(action.node() + " does not know node " + action.primary() + " yet");
        }
        return tell(seen, List.of("CLUSTER", "REPLICATE", action.primary().value()));
    }

    private ActionResult forget(Seen seen, Forget action) {
        MemberBelief member = seen.table().members().get(action.forgotten());
        if (member == null) {
            return new AlreadyDone();
        }
        if (!member.slots().isEmpty()) {
            return new Rejected("node " + action.forgotten() + " owns slots " + member.slots() + " in the view of "
                    + action.node());
        }
        if (member.handshake()) {
            return new Rejected("node " + action.forgotten() + " is being introduced to " + action.node());
        }
        if (seen.table().own().primary().equals(Optional.of(action.forgotten()))) {
            return new Rejected(action.node() + " follows node " + action.forgotten());
        }
        ActionResult result =
                tell(seen, List.of("CLUSTER", "FORGET", action.forgotten().value()));
        return result instanceof Rejected rejected && rejected.reason().contains("Unknown node")
                ? new AlreadyDone()
                : result;
    }
}
