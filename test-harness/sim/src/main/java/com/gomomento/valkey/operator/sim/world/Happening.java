package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.Locale;

/**
 * Something that befalls the world from outside: a fault, or a user who changes their mind.
 *
 * @param atMillis when
 * @param kind what
 * @param salt from which all its details are drawn, so that leaving out another happening changes nothing in this one
 */
public record Happening(long atMillis, Kind kind, long salt) {

    /** Refuses a time before the beginning. */
    public Happening {
        Check.atLeast("time in ms", 0, atMillis);
    }

    /** Kinds of happenings. */
    public enum Kind {
        /** A server process is killed. */
        KILL_SERVER,
        /** A server process stands still for a while. */
        FREEZE_SERVER,
        /** Somebody deletes a pod, with or without grace. */
        DELETE_POD,
        /** The kubelet evicts a pod. */
        EVICT_POD,
        /** A machine dies with all that is on it. */
        KILL_MACHINE,
        /** A machine is cut off from everything for a while; what runs on it runs on. */
        CUT_MACHINE,
        /** Two servers can't talk to each other for a while. */
        CUT_LINK,
        /** All pods of a cluster end at once. */
        KILL_ALL_SERVERS,
        /** More than half of a cluster's primaries end at once. */
        KILL_MAJORITY,
        /** A primary and all its replicas end at once. */
        KILL_SHARD,
        /** An operator ends and is started again. */
        CRASH_OPERATOR,
        /** An operator ends just after one of its next writes took effect. */
        CRASH_IN_WRITE,
        /** Calls of an operator to the API server get lost, before or after they took effect. */
        API_LOSSES,
        /** The API server refuses writes of an operator. */
        API_REFUSALS,
        /** The API server and its watches are slow for an operator. */
        API_SLOW,
        /** One of an operator's watches goes deaf for a while. */
        WATCH_DEAF,
        /** One of an operator's watches breaks and is listed anew. */
        WATCH_ANEW,
        /** Commands of an operator to servers get lost, before or after they took effect. */
        COMMAND_LOSSES,
        /** A quota keeps new pods from being made for a while. */
        POD_QUOTA,
        /** No machine has room for further pods for a while. */
        NO_ROOM,
        /** Images can't be pulled for a while. */
        NO_IMAGES,
        /** Somebody deletes a Service, ConfigMap, Secret or budget of a cluster. */
        DELETE_SUPPORT,
        /** Somebody deletes a ValkeyNode. */
        DELETE_RECORD,
        /** The user asks for other annotations on pods. */
        WISH_ANNOTATION,
        /** The user pauses a cluster for a while. */
        WISH_PAUSE,
        /** The user refers to a ValkeyConfig that does not exist, and corrects that later. */
        WISH_INVALID,
        /** The user deletes a cluster and may make it anew. */
        WISH_DELETE,
        /** The user asks for another number of replicas. */
        WISH_REPLICAS,
        /** The user asks for another number of shards. */
        WISH_SHARDS,
        /** The user asks for another configuration of the servers. */
        WISH_TEMPLATE,
        /** The user asks for a configuration that no server starts with, and corrects that later. */
        WISH_POISON,
        /** The user changes a directive that servers take at run time, or asks for a value that they refuse. */
        WISH_DIRECTIVE
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f s %s", atMillis / 1000.0, kind);
    }
}
