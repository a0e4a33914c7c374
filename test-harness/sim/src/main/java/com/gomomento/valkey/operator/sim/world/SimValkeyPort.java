package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.plan.Guards;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;
import com.gomomento.valkey.operator.sim.valkey.Server;
import com.gomomento.valkey.operator.sim.valkey.ValkeyNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The servers as one operator's loop sees them: each question and each command takes time and may get lost. Before a command
 * the node is asked once more and the core's guards are checked, as the real adapter does; between that look and the command
 * the world may change.
 */
final class SimValkeyPort implements ValkeyPort {

    private static final Duration QUESTION_PATIENCE = Duration.ofSeconds(1);
    private static final Duration COMMAND_PATIENCE = Duration.ofSeconds(2);

    private final ValkeyNetwork network;
    private final Timeline timeline;
    private final Dice dice;
    private final Life life;
    private final CommandWeather weather;
    private final Program.Guard guard;
    private final CommandRunner runner;

    SimValkeyPort(
            ValkeyNetwork network,
            Timeline timeline,
            Dice dice,
            Life life,
            CommandWeather weather,
            Program.Guard guard,
            CommandListener listener) {
        this.network = network;
        this.timeline = timeline;
        this.dice = dice;
        this.life = life;
        this.weather = weather;
        this.guard = guard;
        this.runner = new CommandRunner(network, listener, this::exchange);
    }

    @Override
    public SortedMap<NodeName, NodeReport> observe(List<Target> targets) {
        pass(weather.latencyMillis(dice));
        SortedMap<NodeName, NodeReport> reports = new TreeMap<>();
        boolean silence = false;
        for (Target target : targets) {
            if (dice.chance(20)) {
                // Not all of them are asked at the very same moment.
                pass(weather.latencyMillis(dice));
            }
            NodeReport report = look(target, target.ip(), target.directives());
            silence |= report instanceof Unreachable(Unreachable.Reason reason, String _)
                    && reason == Unreachable.Reason.TIMEOUT;
            reports.put(target.name(), report);
        }
        pass(silence ? QUESTION_PATIENCE.toMillis() : weather.latencyMillis(dice));
        return reports;
    }

    private NodeReport look(Target with, String ip, Set<String> directives) {
        if (!weather.reaches(ip) || weather.loses(dice)) {
            return new Unreachable(Unreachable.Reason.TIMEOUT, "no answer within 1 s");
        }
        Optional<Server> server = network.at(ip);
        if (server.isEmpty()) {
            return new Unreachable(Unreachable.Reason.REFUSED, "connection refused");
        }
        if (server.get().answers() && !server.get().admits(with.password())) {
            return new Unreachable(Unreachable.Reason.AUTHENTICATION, "WRONGPASS invalid username-password pair");
        }
        return server.get().answers()
                ? server.get().report(directives)
                : new Unreachable(Unreachable.Reason.TIMEOUT, "no answer within 1 s");
    }

    @Override
    public List<ActionResult> execute(SortedMap<NodeName, Target> targets, List<ValkeyAction> actions) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < actions.size(); i++) {
            order.add(dice.below(order.size() + 1), i);
        }
        SortedMap<Integer, ActionResult> results = new TreeMap<>();
        for (int i : order) {
            results.put(i, run(targets, actions.get(i)));
        }
        return List.copyOf(results.values());
    }

    private ActionResult run(SortedMap<NodeName, Target> targets, ValkeyAction action) {
        Target target = targets.get(action.node());
        if (target == null) {
            return new ActionResult.Rejected("no address of " + action.node() + " is known");
        }
        pass(weather.latencyMillis(dice));
        NodeReport seen = look(target, target.ip(), target.directives());
        if (!(seen instanceof NodeReport.Reachable now)) {
            pass(QUESTION_PATIENCE.toMillis());
            return new ActionResult.Rejected(action.node() + ": not asked before the command, no answer");
        }
        switch (guard.check(action, now)) {
            case Guards.Done _ -> {
                return new ActionResult.AlreadyDone();
            }
            case Guards.No(String reason) -> {
                return new ActionResult.Rejected(reason);
            }
            case Guards.Go _ -> {
                // The command follows.
            }
        }
        List<ValkeyAction.Peer> peers = new ArrayList<>();
        if (action instanceof ValkeyAction.Meet meet) {
            peers.addAll(verified(targets, target, meet, now));
            if (peers.isEmpty()) {
                return new ActionResult.Rejected("nobody was met");
            }
        }
        pass(weather.latencyMillis(dice));
        return command(target, action, now, peers);
    }

    private ActionResult command(
            Target target, ValkeyAction action, NodeReport.Reachable now, List<ValkeyAction.Peer> peers) {
        boolean lost = weather.loses(dice);
        boolean takesEffect = weather.reaches(target.ip()) && (!lost || dice.chance(500));
        ActionResult result =
                takesEffect ? runner.run(target, action, now, peers) : new ActionResult.Unknown("no answer within 2 s");
        boolean unheard = lost || result instanceof ActionResult.Unknown;
        pass(unheard ? COMMAND_PATIENCE.toMillis() : weather.latencyMillis(dice));
        return lost ? new ActionResult.Unknown("no answer within 2 s") : result;
    }

    /** Peers that answer at their addresses under their ids; each is asked before the node is told (invariant S10). */
    private List<ValkeyAction.Peer> verified(
            SortedMap<NodeName, Target> targets, Target asker, ValkeyAction.Meet meet, NodeReport.Reachable now) {
        pass(weather.latencyMillis(dice));
        List<ValkeyAction.Peer> verified = new ArrayList<>();
        for (ValkeyAction.Peer peer : meet.peers()) {
            Target target = targets.get(peer.name());
            boolean there = !Guards.met(now, peer)
                    && guard.identified(peer, Optional.ofNullable(target), look(asker, peer.ip(), Set.of()));
            if (there) {
                verified.add(peer);
            }
        }
        return verified;
    }

    /** One of several exchanges of a long call. */
    private boolean exchange() {
        pass(weather.latencyMillis(dice));
        return !weather.loses(dice);
    }

    private void pass(long millis) {
        life.check();
        timeline.pass(Duration.ofMillis(millis));
        life.check();
    }
}
