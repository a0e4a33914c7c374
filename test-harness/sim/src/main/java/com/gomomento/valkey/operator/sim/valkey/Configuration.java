package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The directives of a server, of those that the simulator knows: what it was started with, and what it was told since. */
final class Configuration {

    /** Numbers that a server takes at run time. */
    private static final Set<String> LIVE = Set.of("maxclients", "cluster-node-timeout");

    /** What it reads only when it starts. */
    private static final Set<String> IMMUTABLE = Set.of("tcp-backlog", "databases");

    private final SortedMap<String, String> values;

    Configuration(SortedMap<String, String> values) {
        this.values = new TreeMap<>(Check.sortedCopy(values));
    }

    SortedMap<String, String> values() {
        return values;
    }

    /** {@code CONFIG SET}: all or nothing. */
    Reply set(Map<String, String> changes) {
        for (var change : new TreeMap<>(changes).entrySet()) {
            String name = change.getKey();
            if (IMMUTABLE.contains(name)) {
                return failed(name, "can't set immutable config");
            }
            if (!LIVE.contains(name)) {
                return Reply.error("Unknown option or number of arguments for CONFIG SET - '" + name + "'");
            }
            if (!change.getValue().matches("\\d{1,9}")) {
                return failed(name, "argument couldn't be parsed into an integer");
            }
        }
        values.putAll(changes);
        return Reply.OK;
    }

    private static Reply failed(String name, String why) {
        return Reply.error("CONFIG SET failed (possibly related to argument '" + name + "') - " + why);
    }
}
