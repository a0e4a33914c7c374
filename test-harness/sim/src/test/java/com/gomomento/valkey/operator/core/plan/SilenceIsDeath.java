package com.gomomento.valkey.operator.core.plan;

import java.util.Comparator;

/** A primary that the operator can't reach is held dead: a replica takes its place without a vote, and both are primary. */
final class SilenceIsDeath implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Shard shard : situation.shards.values()) {
            if (shard.owner().isEmpty() && situation.formed()) {
                shard.live().stream()
                        .filter(member -> member.follows().isPresent())
                        .max(Comparator.comparing(
                                member -> member.answer().orElseThrow().offset()))
                        .ifPresent(heir -> draft.act(new ValkeyAction.Failover(
                                heir.name(),
                                heir.liveId(),
                                heir.follows().orElseThrow(),
                                ValkeyAction.Failover.Mode.TAKEOVER)));
            }
        }
    }
}
