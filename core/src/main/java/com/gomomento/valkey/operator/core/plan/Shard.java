package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The members that were made for one shard, by seat. Which shard a member belongs to is what we wrote down, never gossip. */
record Shard(ShardId id, List<Member> members) {

    private static final Comparator<Member> BY_EPOCH =
            Comparator.comparing(member -> member.answer().map(Shard::epoch).orElse(0L));

    Shard {
        members = List.copyOf(members);
    }

    /** The live member that serves the shard's slots: of several that say so, the one with the highest config epoch. */
    Optional<Member> owner() {
        return members.stream().filter(Member::ownsSlots).max(BY_EPOCH);
    }

    /** Members that are there or on their way. */
    List<Member> standing() {
        return members.stream().filter(member -> !member.lost()).toList();
    }

    List<Member> live() {
        return members.stream().filter(Member::live).toList();
    }

    private static long epoch(Reachable answer) {
        return answer.self().epoch().value();
    }
}
