package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;

/** S14: an operator writes only to ValkeyClusters' statuses and to objects that a ValkeyCluster owns, and makes no others. */
public final class Ownership extends Invariant {

    /** Looks at these models. */
    public Ownership(Truth truth) {
        super("S14 Ownership", truth);
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        if (before.key().kind() == Kind.CLUSTER) {
            check(
                    verb == WriteListener.Verb.UPDATE
                            && before.cluster().wish().equals(after.cluster().wish()),
                    "an operator wrote more than the status of " + before.key());
        } else {
            check(before.owner().isPresent(), "an operator wrote to " + before.key() + ", which no cluster owns");
        }
        check(after.owner().equals(before.owner()), "an operator changed the owner of " + before.key());
    }
}
