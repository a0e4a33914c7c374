package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.sim.check.Violation;
import com.gomomento.valkey.operator.sim.world.Program;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Goes breadth first through every state that a scope can get into, asks the safety list of each deed in each of them, and in
 * the end whether every state has a way to all as wished on which no further fault is needed.
 */
public final class SmallScope {

    private final Scope scope;
    private final Program program;
    private final Steps steps;
    private final int mostStates;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Deque<State> queue = new ArrayDeque<>();
    private final List<Integer> parents = new ArrayList<>();
    private final List<String> whats = new ArrayList<>();
    private final List<int[]> ways = new ArrayList<>();
    private final BitSet goals = new BitSet();
    private long transitions;

    /**
     * What was found.
     *
     * @param scope that was gone through
     * @param states that were reached
     * @param transitions between them
     * @param goals states in which all is as wished and nothing is left to do
     * @param complete whether every reachable state was looked at, rather than as many as were allowed
     * @param traps states from which no way leads to all as wished unless something else goes wrong; known if complete
     * @param violation what an operator did that it must never do
     * @param path the shortest way to the violation, else to the first trap
     */
    public record Result(
            Scope scope,
            int states,
            long transitions,
            int goals,
            boolean complete,
            int traps,
            Optional<Violation> violation,
            List<String> path) {

        /** Copies the path. */
        public Result {
            path = List.copyOf(path);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s: %,d states%s, %,d steps, %d of them the end, %d traps",
                    scope,
                    states,
                    complete ? ", all of them" : ", more were not looked at",
                    transitions,
                    goals,
                    traps);
        }
    }

    private SmallScope(Scope scope, Program program, int mostStates) {
        this.scope = scope;
        this.program = program;
        this.steps = new Steps(scope, program);
        this.mostStates = mostStates;
    }

    /** Looks at every state of a scope, but at no more than {@code mostStates}. */
    public static Result explore(Scope scope, Program program, int mostStates) {
        return new SmallScope(scope, program, mostStates).run();
    }

    private Result run() {
        State first = scope.first();
        if (scope.formed()) {
            first = settled(scope, program);
            first.faults = scope.faults();
            first.wishPending = scope.thenShards() != scope.shards();
        }
        number(first, -1, "");
        int at = 0;
        while (!queue.isEmpty()) {
            if (numbers.size() > mostStates) {
                return result(false, 0, Optional.empty(), at);
            }
            try {
                look(at, queue.removeFirst());
            } catch (Violation found) {
                return result(false, 0, Optional.of(found), at);
            }
            at++;
        }
        BitSet saved = saved();
        int trap = saved.nextClearBit(0);
        return result(true, ways.size() - saved.cardinality(), Optional.empty(), trap < ways.size() ? trap : 0);
    }

    private void look(int at, State state) {
        if (steps.isGoal(state)) {
            goals.set(at);
        }
        List<Integer> benign = new ArrayList<>();
        for (Steps.Next next : steps.after(state)) {
            transitions++;
            int number = number(next.state(), at, next.what());
            if (!next.fault()) {
                benign.add(number);
            }
        }
        ways.add(benign.stream().mapToInt(number -> number).toArray());
    }

    private int number(State state, int parent, String what) {
        String key = state.key();
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        int number = numbers.size();
        numbers.put(key, number);
        queue.add(state);
        parents.add(parent);
        whats.add(what);
        return number;
    }

    /** States from which a way without a fault leads to one in which all is as wished. */
    private BitSet saved() {
        List<List<Integer>> back = new ArrayList<>();
        ways.forEach(ignored -> back.add(new ArrayList<>()));
        for (int from = 0; from < ways.size(); from++) {
            for (int to : ways.get(from)) {
                back.get(to).add(from);
            }
        }
        BitSet saved = (BitSet) goals.clone();
        Deque<Integer> open = new ArrayDeque<>();
        goals.stream().forEach(open::add);
        while (!open.isEmpty()) {
            for (int from : back.get(open.removeFirst())) {
                if (!saved.get(from)) {
                    saved.set(from);
                    open.add(from);
                }
            }
        }
        return saved;
    }

    private Result result(boolean complete, int traps, Optional<Violation> violation, int at) {
        List<String> path = new ArrayList<>();
        for (int number = at; (traps > 0 || violation.isPresent()) && number > 0; number = parents.get(number)) {
            path.add(whats.get(number));
        }
        Collections.reverse(path);
        return new Result(scope, numbers.size(), transitions, goals.cardinality(), complete, traps, violation, path);
    }

    /** The state that a cluster settles in if nothing goes wrong: the first one found. */
    private static State settled(Scope scope, Program program) {
        Steps steps = new Steps(scope, program);
        Set<String> seen = new HashSet<>();
        Deque<State> open = new ArrayDeque<>();
        State first = scope.first();
        first.faults = 0;
        first.wishPending = false;
        open.add(first);
        while (!open.isEmpty()) {
            // Depth first: any way will do.
            State state = open.removeLast();
            if (steps.isGoal(state)) {
                return state;
            }
            for (Steps.Next next : steps.after(state)) {
                if (seen.add(next.state().key())) {
                    open.addLast(next.state());
                }
            }
        }
        throw new IllegalStateException("no cluster of " + scope + " is ever formed");
    }
}
