package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;

/** S19: no password appears in the journal or in a status. */
public final class Secrecy extends Invariant {

    /** Every password of a simulated world begins with this. */
    public static final String MARK = "password-";

    /** Looks at these models. */
    public Secrecy(Truth truth) {
        super("S19 Secrets", truth);
    }

    @Override
    public void told(Journal.Entry entry) {
        check(!entry.toString().contains(MARK), "the journal shows a password");
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        if (after.key().kind() == Kind.CLUSTER || after.key().kind() == Kind.NODE) {
            check(!after.content().toString().contains(MARK), after.key() + " shows a password");
        }
    }
}
