package com.gomomento.valkey.operator.sim.valkey;

/**
 * What a server answered to one command.
 *
 * @param kind what it came to
 * @param text in the server's own words, with its error code; empty where there are none
 * @param version of a key that was read; 0 when there is no such key
 */
public record Reply(Kind kind, String text, long version) {

    /** The command was done. */
    public static final Reply OK = new Reply(Kind.OK, "OK", 0);

    /** The process did not answer: it is gone, or stands still. */
    public static final Reply SILENCE = new Reply(Kind.SILENCE, "", 0);

    /** The client is made to wait by a failover or a slot migration. Nothing was done; ask again a little later. */
    public static final Reply PAUSED = new Reply(Kind.PAUSED, "", 0);

    /** What an answer came to. */
    public enum Kind {
        /** Done. */
        OK,
        /** Ask the node that is named in the text. */
        MOVED,
        /** Ask the node that is named in the text, this once. */
        ASK,
        /** The node holds that the cluster can't serve this. */
        CLUSTERDOWN,
        /** Refused for any other reason. */
        ERROR,
        /** No answer yet: writes stand still for a moment. */
        PAUSED,
        /** No answer. */
        SILENCE
    }

    /** Whether it was done. */
    public boolean done() {
        return kind == Kind.OK;
    }

    static Reply error(String words) {
        return new Reply(Kind.ERROR, "ERR " + words, 0);
    }

    static Reply value(long version) {
        return new Reply(Kind.OK, "", version);
    }

    static Reply moved(int slot, String ip) {
        return new Reply(Kind.MOVED, "MOVED " + slot + " " + ip + ":6379", 0);
    }

    static Reply ask(int slot, String ip) {
        return new Reply(Kind.ASK, "ASK " + slot + " " + ip + ":6379", 0);
    }

    static Reply down(String words) {
        return new Reply(Kind.CLUSTERDOWN, "CLUSTERDOWN " + words, 0);
    }
}
