package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Short histories, one for each great change in a cluster's life, of which every step can be probed. */
public final class Journeys {

    private static final ClusterKey CACHE = new ClusterKey("shop", "cache");
    private static final long STANDS_MILLIS = 20_000;
    private static final String ATOMIC = "9.1.2";
    private static final String KEY_BY_KEY = "8.1.1";

    private Journeys() {}

    /** All of them, by name. */
    public static SortedMap<String, Scenario> all() {
        SortedMap<String, Scenario> all = new TreeMap<>();
        all.put("bootstrap", journey(ATOMIC, 3, 1, List.of()));
        // The salts are chosen so that 2 shards become 4, and 4 become 2.
        all.put("scale out", journey(ATOMIC, 2, 1, List.of(at(Happening.Kind.WISH_SHARDS, shards(4)))));
        all.put("scale in", journey(KEY_BY_KEY, 4, 1, List.of(at(Happening.Kind.WISH_SHARDS, shards(2)))));
        all.put("roll", journey(ATOMIC, 2, 1, List.of(at(Happening.Kind.WISH_TEMPLATE, 1))));
        all.put("replace", journey(KEY_BY_KEY, 3, 1, List.of(at(Happening.Kind.KILL_SERVER, 1))));
        all.put("quorum", journey(ATOMIC, 3, 1, List.of(at(Happening.Kind.KILL_MAJORITY, 1))));
        all.put("lost shard", journey(ATOMIC, 3, 0, List.of(at(Happening.Kind.KILL_SHARD, 1))));
        return all;
    }

    private static Scenario journey(String version, int shards, int replicas, List<Happening> happenings) {
        return new Scenario(
                1,
                1,
                3,
                List.of(new Scenario.ClusterPlan(CACHE, version, shards, replicas)),
                happenings,
                happenings.isEmpty() ? 1 : STANDS_MILLIS + 1);
    }

    private static Happening at(Happening.Kind kind, long salt) {
        return new Happening(STANDS_MILLIS, kind, salt);
    }

    /** The first salt with which a user asks for so many shards. */
    private static long shards(int wanted) {
        long salt = 1;
        while (Wishes.shardsFor(salt) != wanted) {
            salt++;
        }
        return salt;
    }
}
