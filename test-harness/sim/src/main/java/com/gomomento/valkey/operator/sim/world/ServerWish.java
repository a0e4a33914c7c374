package com.gomomento.valkey.operator.sim.world;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What users wish of the servers of a version.
 *
 * @param atStart of a directive that servers read only when they start
 * @param live of a directive that they take at run time
 * @param poison what is wrong with it
 */
record ServerWish(int atStart, int live, Poison poison) {

    /** A directive that no server reads; a pod that is started with it ends at once. */
    static final String POISON = "no-such-directive";

    static final ServerWish FIRST = new ServerWish(1, 1, Poison.NONE);

    /** What can be wrong. */
    enum Poison {
        /** Nothing. */
        NONE,
        /** A directive that does not exist. */
        NAME,
        /** A value that every server refuses. */
        VALUE
    }

    ServerWish anotherAtStart() {
        return new ServerWish(atStart + 1, live, poison);
    }

    ServerWish anotherLive() {
        return new ServerWish(atStart, live + 1, poison);
    }

    ServerWish with(Poison other) {
        return new ServerWish(atStart, live, other);
    }

    SortedMap<String, String> directives() {
        SortedMap<String, String> directives = new TreeMap<>();
        directives.put("tcp-backlog", Integer.toString(500 + atStart));
        directives.put("maxclients", poison == Poison.VALUE ? "many" : Integer.toString(1000 + live));
        if (poison == Poison.NAME) {
            directives.put(POISON, "yes");
        }
        return directives;
    }
}
