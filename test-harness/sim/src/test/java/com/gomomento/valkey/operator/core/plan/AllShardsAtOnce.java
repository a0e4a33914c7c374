package com.gomomento.valkey.operator.core.plan;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;

/** Every shard rolls by itself, so that in all of them at once a primary hands over or a replica is away. */
final class AllShardsAtOnce {

    private AllShardsAtOnce() {}

    static Planning planning() {
        return HistoricalBug.with(
                Map.of(RollRule.class, new Roll(Integer.MAX_VALUE), HandoverRule.class, new Handover()));
    }

    /** Brings the successors in all shards that are in order, or in so many of them. */
    static final class Roll implements Rule {

        private final int shards;

        Roll(int shards) {
            this.shards = shards;
        }

        @Override
        public void apply(Situation situation, Draft draft) {
            int rolling = (int)
                    situation.shards.values().stream().filter(Shard::inHandover).count();
            for (Shard shard : situation.shards.values()) {
                boolean outdated = shard.standing().stream().anyMatch(member -> !situation.upToDate(member));
                if (outdated) {
                    draft.because(Reason.Kind.PROGRESS, "shard " + shard.id().index() + " rolls");
                }
                boolean ready = situation.formed() && !shard.inHandover() && Agreement.inOrder(shard, situation);
                if (outdated && ready && rolling < shards) {
                    rolling++;
                    shard.seats().stream()
                            .flatMap(seat -> seat.keeper().stream())
                            .filter(member -> !situation.upToDate(member))
                            .findFirst()
                            .ifPresent(old -> draft.act(MembershipRule.seat(
                                    shard, old.ordinal(), Optional.of(old.name()), situation, new HashSet<>())));
                }
            }
        }
    }

    /** Lets every shard hand over that is ready for it. */
    static final class Handover implements Rule {

        @Override
        public void apply(Situation situation, Draft draft) {
            if (!situation.hasQuorum()) {
                return;
            }
            for (Shard shard : situation.shards.values()) {
                shard.owner()
                        .filter(owner -> !situation.upToDate(owner) && Agreement.slotsAgreed(owner, situation))
                        .ifPresent(owner -> shard.live().stream()
                                .filter(member -> !member.equals(owner)
                                        && situation.upToDate(member)
                                        && Agreement.acceptedByAll(member, owner, situation))
                                .findFirst()
                                .ifPresent(heir -> draft.act(new ValkeyAction.Failover(
                                        heir.name(),
                                        heir.liveId(),
                                        owner.liveId(),
                                        ValkeyAction.Failover.Mode.GRACEFUL))));
            }
        }
    }
}
