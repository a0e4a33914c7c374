package com.gomomento.valkey.operator.harness.valkey;

import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.ArrayList;
import java.util.List;

/** A key of every kind in one slot, and what a server has of them. */
final class Dataset {

    private final String tag;

    /** Nothing is written yet. */
    Dataset(String tag) {
        this.tag = "{" + tag + "}";
    }

    /**
     * As many datasets, each in a slot of its own, all in the share of the first shard.
     *
     * @param server any that answers {@code CLUSTER KEYSLOT}
     * @param shards of the cluster
     */
    static List<Dataset> inFirstShare(ValkeyServer server, int shards, int count) {
        SlotSet share = SlotSet.share(0, shards);
        List<Dataset> datasets = new ArrayList<>();
        for (int i = 0; datasets.size() < count; i++) {
            Dataset next = new Dataset("tag" + i);
            if (share.contains(next.slot(server))) {
                datasets.add(next);
            }
        }
        return datasets;
    }

    /** Of all its keys. */
    int slot(ValkeyServer server) {
        return Integer.parseInt(server.call("CLUSTER", "KEYSLOT", tag));
    }

    /** A key in the same slot. */
    String key(String rest) {
        return tag + rest;
    }

    void writeTo(ValkeyServer server) {
        server.call("SET", tag + "string", "hello " + tag, "EX", "10000");
        server.call("SET", tag + "forever", "stays");
        server.call("SET", tag + "\u00e4\r\n \"", "odd name");
        server.call("SET", tag + "long", "x".repeat(100_000));
        server.call("RPUSH", tag + "list", "one", "two");
        server.call("SADD", tag + "set", "member");
        server.call("HSET", tag + "hash", "field", "value");
        server.call("PEXPIRE", tag + "hash", "20000000");
        server.call("ZADD", tag + "sorted", "1.5", "member");
        server.call("PFADD", tag + "log", "a", "b");
        server.call("SETBIT", tag + "bits", "77", "1");
        server.call("GEOADD", tag + "places", "13.36", "38.11", "Palermo");
        server.call("XADD", tag + "stream", "1-1", "field", "value");
        server.call("XGROUP", "CREATE", tag + "stream", "group", "0");
        server.call("XREADGROUP", "GROUP", "group", "me", "STREAMS", tag + "stream", ">");
        // Not text: every byte from 0 to 255.
        server.call(
                "EVAL",
                "local b = '' for i = 0, 255 do b = b .. string.char(i) end"
                        + " redis.call('SET', KEYS[1] .. b, b) return 1",
                "1",
                tag);
    }

    /** How many keys a server has in the slot, be it a replica. */
    int count(ValkeyServer server) {
        return Integer.parseInt(server.call("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot(server))));
    }

    /** Everything that {@link #writeTo} wrote, as {@code server} has it. */
    String contents(ValkeyServer server) {
        return String.join(
                "\n",
                server.call("GET", tag + "string"),
                expiry(server, "string", "10000000"),
                server.call("GET", tag + "forever"),
                server.call("PTTL", tag + "forever"),
                server.call("GET", tag + "\u00e4\r\n \""),
                server.call("STRLEN", tag + "long"),
                server.call("LRANGE", tag + "list", "0", "-1"),
                server.call("SMEMBERS", tag + "set"),
                server.call("HGETALL", tag + "hash"),
                expiry(server, "hash", "20000000"),
                server.call("ZRANGE", tag + "sorted", "0", "-1", "WITHSCORES"),
                server.call("PFCOUNT", tag + "log"),
                server.call("BITCOUNT", tag + "bits"),
                server.call("GEOPOS", tag + "places", "Palermo"),
                server.call("XRANGE", tag + "stream", "-", "+"),
                server.call("XPENDING", tag + "stream", "group"),
                server.call(
                        "EVAL",
                        "local b = '' for i = 0, 255 do b = b .. string.char(i) end"
                                + " return tostring(redis.call('GET', KEYS[1] .. b) == b)",
                        "1",
                        tag),
                Integer.toString(count(server)));
    }

    /** Whether a key still has most of the time to live that it was given. */
    private String expiry(ValkeyServer server, String rest, String givenMillis) {
        long given = Long.parseLong(givenMillis);
        long left = Long.parseLong(server.call("PTTL", tag + rest));
        return left <= given && left > given - 600_000 ? "expires" : "has the wrong time to live: " + left;
    }
}
