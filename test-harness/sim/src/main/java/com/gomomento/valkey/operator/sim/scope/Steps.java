package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.PodView.Phase;
import com.gomomento.valkey.operator.core.plan.Action;
import com.gomomento.valkey.operator.core.plan.Guards;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.Plan;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.check.Violation;
import com.gomomento.valkey.operator.sim.world.Program;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** All that may happen next in a state. */
final class Steps {

    private final Scope scope;
    private final Program program;
    private final Eyes eyes;
    private final List<Next> next = new ArrayList<>();
    private State state;

    /**
     * A state that may follow.
     *
     * @param what happens
     * @param state that it leads to
     * @param fault whether it need not happen for all to become well
     */
    record Next(String what, State state, boolean fault) {}

    Steps(Scope scope, Program program) {
        this.scope = scope;
        this.program = program;
        this.eyes = new Eyes(program.planning(), scope.replicas());
        this.state = scope.first();
    }

    /** All states that may follow this one. Throws {@link Violation} if an operator would do what it must never do. */
    List<Next> after(State from) {
        state = from;
        next.clear();
        Set<Action> actions = decisions();
        boolean noted = notes(actions);
        // Notes come first in a step; that they get lost is a fault.
        if (noted || state.faults > 0) {
            actions.forEach(action -> deed(action, !noted));
        }
        state.held.ifPresent(this::heldDeed);
        kubelets();
        servers();
        mends();
        if (state.wishPending) {
            add("the user wishes for " + scope.thenShards() + " shards", false, after -> {
                after.wishPending = false;
                after.shards = scope.thenShards();
            });
        }
        if (state.faults > 0) {
            faults(actions);
        }
        return List.copyOf(next);
    }

    /** Whether all is as wished and nothing is left to do. */
    boolean isGoal(State at) {
        boolean well = at.held.isEmpty()
                && !at.wishPending
                && at.created
                && at.processes.size() == at.pods.size()
                && Rules.gap(at, scope.replicas()).isEmpty();
        if (!well) {
            return false;
        }
        Plan plan = eyes.plan(at);
        return plan.status().state() == ClusterState.ACTIVE
                && plan.actions().stream().allMatch(KubernetesAction.MarkPod.class::isInstance);
    }

    private void add(String what, boolean fault, Consumer<State> step) {
        State after = state.copy();
        step.accept(after);
        next.add(new Next(what, after, fault));
    }

    private void fault(String what, Consumer<State> step) {
        add("fault: " + what, true, after -> {
            after.faults--;
            step.accept(after);
        });
    }

    private Set<Action> decisions() {
        Set<Action> actions = new LinkedHashSet<>();
        List<Plan> plans = new ArrayList<>(List.of(eyes.plan(state)));
        if (eyes.memoryMatters(state)) {
            plans.add(eyes.planOfOldHand(state));
        }
        for (Plan plan : plans) {
            plan.actions().stream()
                    .filter(action -> !(action instanceof KubernetesAction.MarkPod))
                    .forEach(actions::add);
            if (plan.status().state() == ClusterState.ACTIVE) {
                saysActive();
            }
        }
        return actions;
    }

    private void saysActive() {
        Rules.gap(state, scope.replicas()).ifPresent(gap -> {
            throw new Violation("S18 Honest status", "called Active, and in truth: " + gap);
        });
        if (!state.created) {
            add("says Active", false, after -> after.created = true);
        }
    }

    /** What an operator writes down of members it writes in one go. Tells whether there was nothing to write. */
    private boolean notes(Set<Action> actions) {
        List<KubernetesAction> notes = new ArrayList<>();
        for (Action action : actions) {
            if (action instanceof KubernetesAction.WriteRecordStatus note) {
                notes.add(note);
            }
        }
        if (!notes.isEmpty()) {
            add("notes", false, after -> notes.forEach(note -> Cluster.write(after, note, false)));
        }
        return notes.isEmpty();
    }

    private void deed(Action action, boolean fault) {
        switch (action) {
            case KubernetesAction.WriteRecordStatus ignored -> {
                // Among the notes.
            }
            case KubernetesAction write -> {
                if (write instanceof KubernetesAction.DeletePod delete) {
                    Rules.beforeDelete(state, delete);
                }
                step(write.key(), fault, after -> Cluster.write(after, write, false));
            }
            case ValkeyAction command -> send(command, false, fault);
        }
    }

    private void step(String what, boolean fault, Consumer<State> step) {
        if (fault) {
            fault("notes are lost, " + what, step);
        } else {
            add(what, false, step);
        }
    }

    /** The action that was decided on earlier is carried out now, after a new look of its guards, or never. */
    private void heldDeed(Action action) {
        add("never: " + action.key(), false, after -> after.held = Optional.empty());
        switch (action) {
            case KubernetesAction write -> {
                if (write instanceof KubernetesAction.DeletePod delete) {
                    Rules.beforeDelete(state, delete);
                }
                add("late: " + write.key(), false, after -> {
                    after.held = Optional.empty();
                    Cluster.write(after, write, false);
                });
            }
            case ValkeyAction command -> send(command, true, false);
        }
    }

    private void send(ValkeyAction command, boolean late, boolean fault) {
        Optional<Instance> server = state.inPod(command.node());
        boolean reached = Eyes.look(state, command.node()) instanceof NodeReport.Reachable now
                && program.guard().check(command, now) instanceof Guards.Go;
        Optional<ValkeyAction> fit = reached ? identified(command) : Optional.empty();
        if (server.isEmpty() || fit.isEmpty()) {
            return;
        }
        Rules.beforeCommand(state, server.get(), fit.get());
        step((late ? "late: " : "") + command.key(), fault, after -> {
            if (late) {
                after.held = Optional.empty();
            }
            Instance there = after.process(server.get().id).orElseThrow();
            Engine.command(after, there, fit.get());
            Rules.afterCommand(state, after, there, fit.get());
        });
    }

    /** The command with those peers only that answer at their addresses under their ids. */
    private Optional<ValkeyAction> identified(ValkeyAction command) {
        if (!(command instanceof ValkeyAction.Meet meet)) {
            return Optional.of(command);
        }
        List<ValkeyAction.Peer> peers = meet.peers().stream()
                .filter(peer -> Eyes.look(state, peer.name()) instanceof NodeReport.Reachable answer
                        && answer.id().equals(peer.nodeId()))
                .toList();
        return peers.isEmpty()
                ? Optional.empty()
                : Optional.of(new ValkeyAction.Meet(meet.node(), meet.nodeId(), peers));
    }

    private void kubelets() {
        state.pods.forEach((name, pod) -> {
            Optional<Instance> process = state.inPod(name);
            if (pod.phase() == Phase.PENDING) {
                add("pod " + name + " starts", false, after -> Cluster.start(after, name, pod));
            } else if (pod.phase() == Phase.RUNNING && process.isEmpty()) {
                add("pod " + name + " is reported to have ended", false, after -> Cluster.report(after, name, pod));
            }
        });
        for (Instance process : state.processes.values()) {
            if (!state.stays(process)) {
                ends(process);
            }
        }
    }

    private void ends(Instance process) {
        add("process of " + process.pod + " ends", false, after -> Cluster.end(after, process));
    }

    private void servers() {
        for (Instance one : state.processes.values()) {
            introductions(one);
            if (!one.primary() && !one.linked && syncs(one)) {
                change(one, "syncs", Engine::sync);
            }
            if (Engine.electable(state, one)) {
                change(one, "is elected", Engine::elect);
            }
            if (one.target.isPresent()) {
                change(one, "has moved its slots", Engine::endMigration);
            }
            if (Engine.notice(state, one.copy())) {
                change(one, "notices who is gone", (after, process) -> {
                    Engine.notice(after, process);
                    Engine.gossip(after);
                });
            }
        }
    }

    private interface Change {
        void apply(State after, Instance process);
    }

    private void change(Instance process, String what, Change change) {
        add(
                process.pod + " " + what,
                false,
                after -> change.apply(after, after.process(process.id).orElseThrow()));
    }

    private boolean syncs(Instance replica) {
        return replica.follows
                .flatMap(state::process)
                .filter(primary -> primary.primary() && State.connected(primary, replica))
                .isPresent();
    }

    /** A handshake ends well, or in nothing; or somebody hears of a third from a second. */
    private void introductions(Instance one) {
        for (Map.Entry<NodeId, Instance.Line> entry : one.view.entrySet()) {
            Optional<Instance> other = state.process(entry.getKey()).filter(peer -> State.connected(peer, one));
            if (!entry.getValue().handshake) {
                other.ifPresent(second -> hearsOf(one, second));
            } else if (other.isPresent()) {
                introduced(one, other.get(), "meets ");
            } else {
                change(one, "gives up meeting", (after, process) -> process.view.remove(entry.getKey()));
            }
        }
    }

    private void hearsOf(Instance one, Instance second) {
        for (NodeId third : second.view.keySet()) {
            boolean news = second.knows(third)
                    && !Engine.fails(second, third)
                    && !third.equals(one.id)
                    && !one.view.containsKey(third)
                    && !one.banned.contains(third);
            if (news) {
                state.process(third)
                        .filter(peer -> State.connected(peer, one))
                        .ifPresent(peer -> introduced(one, peer, "hears of "));
            }
        }
    }

    private void introduced(Instance one, Instance other, String how) {
        add(
                one.pod + " " + how + other.pod,
                false,
                after -> Engine.introduce(
                        after,
                        after.process(one.id).orElseThrow(),
                        after.process(other.id).orElseThrow()));
    }

    private void mends() {
        for (Instance process : state.processes.values()) {
            if (process.deaf || process.cut) {
                change(process, "is reached again", (after, there) -> {
                    there.deaf = false;
                    there.cut = false;
                    Engine.gossip(after);
                });
            }
        }
    }

    private void faults(Set<Action> actions) {
        for (Instance process : state.processes.values()) {
            NodeName pod = process.pod;
            fault("process of " + pod + " is killed", after -> Cluster.end(after, process));
            if (!process.deaf && !process.cut) {
                fault("the operator does not reach " + pod, after -> there(after, process).deaf = true);
                fault("nobody reaches " + pod, after -> {
                    there(after, process).deaf = true;
                    there(after, process).cut = true;
                    Engine.gossip(after);
                });
            }
        }
        state.pods.forEach((name, pod) -> {
            if (!pod.terminating()) {
                fault("somebody deletes pod " + name, after -> Cluster.leave(after, name, pod));
                fault("somebody removes pod " + name + " by force", after -> Cluster.remove(after, name));
            }
        });
        for (Action action : actions) {
            if (action instanceof KubernetesAction.CreateMember create) {
                fault("crash in the middle of: " + create.key(), after -> Cluster.write(after, create, true));
            }
            if (state.held.isEmpty() && !(action instanceof KubernetesAction.WriteRecordStatus)) {
                fault("decided and put off: " + action.key(), after -> after.held = Optional.of(action));
            }
        }
    }

    private static Instance there(State after, Instance process) {
        return after.process(process.id).orElseThrow();
    }
}
