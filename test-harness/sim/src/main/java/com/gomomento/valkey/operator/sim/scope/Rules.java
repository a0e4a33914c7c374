package com.gomomento.valkey.operator.sim.scope;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.check.Violation;
import java.util.List;
import java.util.Optional;

/** The safety list, asked of each deed of an operator in the state in which it is done. */
final class Rules {

    private Rules() {}

    private static void check(boolean holds, String invariant, String sentence) {
        if (!holds) {
            throw new Violation(invariant, sentence);
        }
    }

    /** A pod is about to be deleted by an operator. */
    static void beforeDelete(State state, KubernetesAction.DeletePod delete) {
        State.Pod pod = state.pods.get(delete.name());
        Optional<Instance> found = state.inPod(delete.name());
        if (pod == null || !pod.uid().equals(delete.uid()) || pod.terminating() || found.isEmpty()) {
            return;
        }
        Instance process = found.get();
        int left = process.primary() ? process.slots : Slots.NONE;
        for (Instance other : state.processes.values()) {
            if (other != process && other.primary() && other.epoch > process.epoch) {
                left &= ~other.slots;
            }
        }
        check(
                left == Slots.NONE,
                "S4 Replacement first",
                "pod " + delete.name() + " is deleted and owns " + Slots.set(left));
        boolean migrates = state.processes.values().stream()
                .anyMatch(source -> source.target.isPresent()
                        && (source == process || source.target.get().equals(process.id)));
        check(!migrates, "S13 Exclusion", "pod " + delete.name() + " is deleted and is an end of a migration");
        int others = state.processes.values().stream()
                .filter(other -> other != process && state.stays(other))
                .mapToInt(other -> other.data)
                .reduce(Slots.NONE, (a, b) -> a | b);
        int owned = state.processes.values().stream()
                .filter(other -> other != process)
                .mapToInt(other -> other.slots)
                .reduce(Slots.NONE, (a, b) -> a | b);
        // What another owns without this one's data was given up with its data before.
        int last = process.data & ~others & ~owned;
        check(
                last == Slots.NONE,
                "S3 Last copy",
                "pod " + delete.name() + " is deleted and has the last copy of " + Slots.set(last));
    }

    /** The guards have let a command pass. */
    static void beforeCommand(State state, Instance server, ValkeyAction action) {
        switch (action) {
            case ValkeyAction.ClaimSlots claim -> ofClaim(state, server, claim);
            case ValkeyAction.Replicate replicate -> ofReplicate(state, server, replicate);
            case ValkeyAction.Forget forget -> ofForget(state, server, forget);
            case ValkeyAction.Failover failover -> ofFailover(state, server, failover);
            case ValkeyAction.MoveSlots move -> ofMove(state, server, move);
            case ValkeyAction.Meet ignored -> {}
            case ValkeyAction.SetDirectives ignored -> {}
            case ValkeyAction.CloseSlots ignored -> {}
        }
    }

    private static void ofClaim(State state, Instance server, ValkeyAction.ClaimSlots claim) {
        check(state.formed, "S17 Bootstrap once", claim.key() + " before the cluster is marked as formed");
        int slots = Slots.bits(claim.slots());
        for (Instance other : state.processes.values()) {
            check(
                    other == server || !state.stays(other) || (other.slots & slots) == Slots.NONE,
                    "S1 Claim",
                    claim.key() + ", and " + other.pod + " has some of them");
        }
    }

    private static void ofReplicate(State state, Instance server, ValkeyAction.Replicate replicate) {
        int others = state.processes.values().stream()
                .filter(other -> other != server)
                .mapToInt(other -> other.data | other.slots)
                .reduce(Slots.NONE, (a, b) -> a | b);
        check(
                (server.data & ~others) == Slots.NONE,
                "S3 Last copy",
                replicate.key() + ", which has the last copy of " + Slots.set(server.data & ~others));
    }

    private static void ofForget(State state, Instance teller, ValkeyAction.Forget forget) {
        NodeId id = forget.forgotten();
        Instance.Line line = teller.view.get(id);
        check(
                line == null || forget.withSlots() || line.slots == Slots.NONE,
                "S6 Drain",
                forget.key() + ", which owns slots in its view");
        state.process(id).ifPresent(forgotten -> {
            check(!state.stays(forgotten), "S9 Forget the dead only", forget.key() + ", which is alive");
            check(
                    !state.podExists(forgotten),
                    "S8 Forget is final",
                    forget.key() + ", whose pod is still being deleted");
        });
        for (Instance other : state.processes.values()) {
            boolean follows = other.follows.equals(Optional.of(id))
                    && state.stays(other)
                    && State.connected(other, teller)
                    && other.data != Slots.NONE;
            check(!follows, "S7 Forget after failover", forget.key() + " while " + other.pod + " follows it");
        }
    }

    private static void ofFailover(State state, Instance server, ValkeyAction.Failover failover) {
        Optional<Instance> primary = state.process(failover.primary());
        switch (failover.mode()) {
            case GRACEFUL -> {
                check(
                        server.primary() || (primary.isPresent() && server.linked),
                        "S5 Failover",
                        failover.key() + ", which is not in sync");
                boolean migrates = primary.filter(process -> state.processes.values().stream()
                                .anyMatch(source -> source.target.isPresent()
                                        && (source == process
                                                || source.target.get().equals(process.id))))
                        .isPresent();
                check(!migrates, "S13 Exclusion", failover.key() + " while its primary is an end of a migration");
            }
            case TAKEOVER -> {
                boolean alive = primary.filter(state::stays).isPresent();
                check(server.primary() || !alive, "S5 Failover", failover.key() + " from a primary that is alive");
                boolean better = state.processes.values().stream()
                        .anyMatch(other -> other != server
                                && state.stays(other)
                                && other.follows.equals(server.follows)
                                && (other.data & ~server.data) != Slots.NONE);
                check(server.primary() || !better, "S5 Failover", failover.key() + " though another has more data");
            }
        }
    }

    private static void ofMove(State state, Instance server, ValkeyAction.MoveSlots move) {
        int slots = Slots.bits(move.slots());
        for (Instance other : state.processes.values()) {
            check(
                    other == server || other.target.isEmpty() || (other.moving & slots) == Slots.NONE,
                    "S13 Exclusion",
                    move.key() + ", some of which " + other.pod + " moves");
        }
    }

    /** A command has been carried out. */
    static void afterCommand(State before, State after, Instance server, ValkeyAction action) {
        check(
                (served(before) & ~served(after)) == Slots.NONE,
                "S2 Coverage",
                action.key() + " took slots " + Slots.set(served(before) & ~served(after)) + " out of service");
        if (action instanceof ValkeyAction.ClaimSlots) {
            check(server.epoch > 0, "S11 Epoch", action.key() + " with config epoch 0");
            for (Instance other : after.processes.values()) {
                // Once they know somebody, the engine finds epochs that are free by itself.
                check(
                        other == server
                                || !server.view.isEmpty()
                                || !other.view.isEmpty()
                                || other.slots == Slots.NONE
                                || !after.stays(other)
                                || other.epoch != server.epoch
                                || server.slots == Slots.NONE,
                        "S11 Epoch",
                        action.key() + " with the config epoch of " + other.pod);
            }
        }
    }

    /** Slots that their owners serve to clients. */
    static int served(State state) {
        return state.processes.values().stream()
                .filter(process -> process.primary() && Eyes.serves(process))
                .mapToInt(process -> process.slots)
                .reduce(Slots.NONE, (a, b) -> a | b);
    }

    /**
     * What is not as wished, in truth and in every view; empty if all is. A process whose pod somebody removed by force is
     * nothing that an operator could see.
     */
    static Optional<String> gap(State state, int replicas) {
        int members = state.shards * (1 + replicas);
        List<Instance> processes =
                state.processes.values().stream().filter(state::podExists).toList();
        if (processes.size() != members
                || state.pods.size() != members
                || !state.records.keySet().equals(state.pods.keySet())) {
            return Optional.of("members are missing or too many");
        }
        int all = Slots.NONE;
        for (Instance process : processes) {
            boolean whole = state.stays(process)
                    && !process.deaf
                    && !process.cut
                    && process.shard < state.shards
                    && process.view.size() == members - 1
                    && Eyes.serves(process)
                    && process.view.values().stream().noneMatch(line -> line.failed || line.handshake);
            if (!whole) {
                return Optional.of(process.pod + " is not in order");
            }
            int each = Integer.bitCount(Slots.ALL) / state.shards;
            boolean placed = process.primary()
                    ? Integer.bitCount(process.slots) == each
                    : process.linked
                            && process.follows
                                    .flatMap(state::process)
                                    .filter(primary -> primary.shard == process.shard)
                                    .isPresent();
            if (!placed || process.target.isPresent()) {
                return Optional.of(process.pod + " is not in its place");
            }
            all |= process.primary() ? process.slots : Slots.NONE;
        }
        List<Instance> primaries = processes.stream().filter(Instance::primary).toList();
        return all == Slots.ALL && primaries.size() == state.shards
                ? Optional.empty()
                : Optional.of("slots have no owner");
    }
}
