package com.gomomento.valkey.operator.core.plan;

/**
 * The successor of a primary that is to be replaced is made primary as soon as it follows it: whether it has received the data
 * set yet is not asked, and what it lacks is lost with the old one.
 */
final class PromoteUnsynced implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Shard shard : situation.shards.values()) {
            shard.owner()
                    .ifPresent(owner -> shard.live().stream()
                            .filter(member -> member.follows()
                                    .filter(owner.liveId()::equals)
                                    .isPresent())
                            .filter(member -> situation.upToDate(member) && !situation.upToDate(owner))
                            .findFirst()
                            .ifPresent(heir -> draft.disrupt(new ValkeyAction.Failover(
                                    heir.name(), heir.liveId(), owner.liveId(), ValkeyAction.Failover.Mode.GRACEFUL))));
        }
    }
}
