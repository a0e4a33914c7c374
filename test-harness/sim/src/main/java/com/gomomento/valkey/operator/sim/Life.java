package com.gomomento.valkey.operator.sim;

/** The life of one simulated process. Whatever acts for it asks {@link #check} whenever time has passed. */
public final class Life {

    private boolean ended;

    /** Ends the process where it stands. */
    public void end() {
        ended = true;
    }

    /** Whether it has ended. */
    public boolean ended() {
        return ended;
    }

    /** Unwinds whatever the process was about, if it has ended. */
    public void check() {
        if (ended) {
            throw new Ended();
        }
    }

    /** Unwinds a process that has ended; caught where its steps are started. */
    public static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Ended() {
            super("the process has ended", null, false, false);
        }
    }
}
