package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.plan.Guards;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.ClaimSlots;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.CloseSlots;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Failover;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Forget;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.AlreadyDone;
import com.gomomento.valkey.operator.core.port.ActionResult.Applied;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.core.port.ActionResult.Told;
import com.gomomento.valkey.operator.core.port.ActionResult.Unknown;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

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

    private final Connections connections;
    private final Introduction introduction;
    private final SlotMover keyByKey;
    private final GlideValkeyPort.Settings settings;

    ActionExecutor(Connections connections, FanOut fanOut, GlideValkeyPort.Settings settings) {
        this.connections = connections;
        this.settings = settings;
        this.introduction = new Introduction(this, fanOut, settings);
        this.keyByKey = new SlotMover(this);
    }

    /** What a node says of itself before it is told anything. */
    sealed interface Look {}

    /** It answered. */
    record Seen(AdminConnection connection, Reachable now) implements Look {}

    /** It could not be asked. */
    record Unseen(String reason) implements Look {}

    /** Runs {@code action}. */
    ActionResult run(SortedMap<NodeName, Target> targets, ValkeyAction action) {
        Target target = targets.get(action.node());
        if (target == null) {
            return new Rejected("no address of " + action.node() + " is known");
        }
        return switch (look(target)) {
            case Unseen unseen -> new Rejected(action.node() + ": " + unseen.reason());
            case Seen seen ->
                switch (Guards.check(action, seen.now())) {
                    case Guards.No no -> new Rejected(no.reason());
                    case Guards.Done done -> new AlreadyDone();
                    case Guards.Go go -> perform(targets, seen, action);
                };
        };
    }

    private ActionResult perform(SortedMap<NodeName, Target> targets, Seen seen, ValkeyAction action) {
        return switch (action) {
            case ValkeyAction.Meet meet -> introduction.run(seen, targets, meet);
            case ValkeyAction.ClaimSlots claim -> claim(seen, claim);
            case ValkeyAction.Replicate replicate ->
                tell(seen, List.of("CLUSTER", "REPLICATE", replicate.primary().value()));
            case ValkeyAction.Forget forget -> forget(seen, forget);
            case ValkeyAction.Failover failover -> tell(seen, failover(failover.mode()));
            case ValkeyAction.MoveSlots move ->
                switch (move.method()) {
                    case ATOMIC -> tell(seen, migrate(move));
                    case KEY_BY_KEY -> keyByKey.run(seen, targets, move);
                };
            case ValkeyAction.CloseSlots close -> close(seen, close);
            case ValkeyAction.SetDirectives set -> setDirectives(seen, set);
        };
    }

    /** Asks a server what an observation asks. */
    Look look(Target target) {
        try {
            AdminConnection connection = connections.to(target);
            List<Reply> replies = connection.ask(ReportReader.QUESTIONS, settings.observe());
            return switch (ReportReader.read(replies, new NodesTable.Known())) {
                case Reachable now -> new Seen(connection, now);
                case Unreachable silent -> new Unseen(silent.detail());
                case NodeReport.NotAsked never -> throw new IllegalStateException("it was asked");
            };
        } catch (NoAnswer e) {
            return new Unseen("not asked before the command, " + e.sentence());
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
        try {
            return ask(seen, commands, StandardCharsets.UTF_8).stream()
                    .map(ActionExecutor::result)
                    .toList();
        } catch (NoAnswer e) {
            return Collections.nCopies(commands.size(), new Unknown(e.sentence()));
        }
    }

    /**
     * Sends commands, in one round trip, to a node that was looked at.
     *
     * @param charset of the words, both ways
     * @return one reply a command
     * @throws NoAnswer when none came, or came from another node; the commands may have been run
     */
    List<Reply> ask(Seen seen, List<List<String>> commands, Charset charset) throws NoAnswer {
        List<List<String>> all = new ArrayList<>(List.of(MYID));
        all.addAll(commands);
        List<Reply> replies = seen.connection().ask(all, settings.command(), charset);
        NodeId expected = seen.now().id();
        if (!replies.getFirst().equals(new Reply.Text(expected.value()))) {
            throw new NoAnswer(Unreachable.Reason.OTHER, "another node answered in place of " + expected);
        }
        return replies.subList(1, replies.size());
    }

    private static ActionResult result(Reply reply) {
        return switch (reply) {
            case Reply.Text done -> new Applied();
            case Reply.Items done -> new Applied();
            case Reply.Refusal refusal -> new Rejected(refusal.words());
        };
    }

    private ActionResult claim(Seen seen, ClaimSlots action) {
        SlotSet missing = action.slots().minus(seen.now().self().slots());
        return switch (separateEpoch(seen, action)) {
            case Applied done -> tell(seen, addSlots(missing));
            case AlreadyDone done -> tell(seen, addSlots(missing));
            case Told told -> throw new IllegalStateException("an epoch tells nothing");
            case Rejected rejected -> rejected;
            case Unknown unknown -> unknown;
        };
    }

    /** Invariant S11. A node that knows nobody takes any epoch, once; later only the engine can find one that is free. */
    private ActionResult separateEpoch(Seen seen, ClaimSlots action) {
        if (seen.now().view().size() > 1) {
            return tell(seen, List.of("CLUSTER", "BUMPEPOCH"));
        }
        return seen.now().self().epoch().value() == 0
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
        command.addAll(ends(slots));
        return List.copyOf(command);
    }

    /** First and last slot of each range. */
    private static List<String> ends(SlotSet slots) {
        return slots.ranges().stream()
                .flatMap(range -> Stream.of(range.first(), range.last()))
                .map(String::valueOf)
                .toList();
    }

    private ActionResult forget(Seen seen, Forget action) {
        ActionResult result =
                tell(seen, List.of("CLUSTER", "FORGET", action.forgotten().value()));
        return result instanceof Rejected rejected && rejected.reason().contains("Unknown node")
                ? new AlreadyDone()
                : result;
    }

    private static List<String> failover(Failover.Mode mode) {
        return switch (mode) {
            case GRACEFUL -> List.of("CLUSTER", "FAILOVER");
            case TAKEOVER -> List.of("CLUSTER", "FAILOVER", "TAKEOVER");
        };
    }

    private static List<String> migrate(MoveSlots action) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE"));
        command.addAll(ends(action.slots()));
        command.add("NODE");
        command.add(action.target().nodeId().value());
        return List.copyOf(command);
    }

    /** Sets and reads back in one round trip, so that nobody else comes in between. */
    private ActionResult setDirectives(Seen seen, ValkeyAction.SetDirectives action) {
        List<String> set = new ArrayList<>(List.of("CONFIG", "SET"));
        action.changes().forEach((name, value) -> set.addAll(List.of(name, value)));
        try {
            List<Reply> replies = ask(
                    seen, List.of(set, ReportReader.configGet(action.changes().keySet())), StandardCharsets.UTF_8);
            return replies.getFirst() instanceof Reply.Refusal(String words)
                    ? new Rejected(words)
                    : new Told(ReportReader.directives(replies.getLast()));
        } catch (NoAnswer e) {
            return new Unknown(e.sentence());
        } catch (MalformedReply e) {
            return new Unknown(e.sentence());
        }
    }

    private ActionResult close(Seen seen, CloseSlots action) {
        List<List<String>> commands = seen.now().self().openSlots().stream()
                .filter(action::means)
                .map(open -> List.of("CLUSTER", "SETSLOT", Integer.toString(open.slot()), "STABLE"))
                .toList();
        return tellAll(seen, commands).stream()
                .filter(result -> !(result instanceof Applied))
                .findFirst()
                .orElse(new Applied());
    }
}
