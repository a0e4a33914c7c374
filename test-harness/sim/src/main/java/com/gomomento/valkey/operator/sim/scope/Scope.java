package com.gomomento.valkey.operator.sim.scope;

import java.util.List;

/**
 * How small.
 *
 * @param name for people
 * @param shards that are wished for at first
 * @param thenShards what the user may wish for later; the same for nothing else
 * @param replicas of each shard
 * @param faults that may happen, one after the other or at once
 * @param formed whether to begin with a cluster that stands; else with nothing
 */
public record Scope(String name, int shards, int thenShards, int replicas, int faults, boolean formed) {

    /** All that are gone through, the smallest first. */
    public static List<Scope> all() {
        return List.of(
                new Scope("2 shards of 1, formed from nothing, no fault", 2, 2, 0, 0, false),
                new Scope("2 shards of 2, formed from nothing, no fault", 2, 2, 1, 0, false),
                new Scope("1 shard becomes 2, no fault", 1, 2, 0, 0, true),
                new Scope("2 shards become 1, no fault", 2, 1, 0, 0, true),
                new Scope("2 shards of 1 that stand, one fault", 2, 2, 0, 1, true),
                new Scope("1 shard of 2 that stands, one fault", 1, 1, 1, 1, true),
                new Scope("2 shards of 1 become 1, one fault", 2, 1, 0, 1, true),
                new Scope("1 shard of 2, formed from nothing, one fault", 1, 1, 1, 1, false),
                new Scope("2 shards of 1, formed from nothing, one fault", 2, 2, 0, 1, false),
                new Scope("2 shards of 2 that stand, one fault", 2, 2, 1, 1, true));
    }

    State first() {
        State state = new State();
        state.shards = shards;
        state.wishPending = thenShards != shards;
        state.faults = faults;
        return state;
    }

    @Override
    public String toString() {
        return name;
    }
}
