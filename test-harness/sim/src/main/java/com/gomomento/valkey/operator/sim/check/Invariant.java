package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.Optional;

/**
 * Something that must hold always. Each of its methods is called at its own kind of moment, looks at the truth, and throws
 * {@link Violation} if it does not hold.
 */
public abstract class Invariant {

    private final String name;
    private final Truth truth;
    private long looks;

    /** {@code name} is its number and name in docs/INVARIANTS.md. */
    protected Invariant(String name, Truth truth) {
        this.name = name;
        this.truth = truth;
    }

    /** Its number and name. */
    public final String name() {
        return name;
    }

    /** The models. */
    protected final Truth truth() {
        return truth;
    }

    /** How often there was something to check: one that never looked proves nothing. */
    public final long looks() {
        return looks;
    }

    /** An operator's write to Kubernetes took effect. */
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {}

    /** A command of an operator is about to take effect. */
    public void beforeCommand(ValkeyAction action, Server server) {}

    /** A command of an operator took effect. */
    public void afterCommand(ValkeyAction action, Server server) {}

    /** A process is about to end. */
    public void ending(Roster.Instance instance) {}

    /** An operator told its journal something. */
    public void told(Journal.Entry entry) {}

    /** Some time has passed. */
    public void moment() {}

    /** The process in a pod that an operator deletes with this write, if it is one that is not being deleted already. */
    protected final Optional<Roster.Instance> deleted(WriteListener.Verb verb, Stored before) {
        return verb == WriteListener.Verb.DELETE && before.key().kind() == Kind.POD && !before.terminating()
                ? truth.roster().inPod(before.uid())
                : Optional.empty();
    }

    /** Counts a look, and ends the run unless {@code holds}. */
    protected final void check(boolean holds, String sentence) {
        looks++;
        if (!holds) {
            throw new Violation(name, sentence);
        }
    }
}
