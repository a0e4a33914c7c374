package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The members that were made for one shard. Which shard a member belongs to is what we wrote down, never gossip.
 *
 * @param id position in the spec
 * @param wanted whether the wish has such a shard; one beyond the wish is to be drained and to go
 * @param members all, by seat
 * @param seats in ascending order
 * @param owner the live member that serves the shard's slots: of several that say so, the one with the highest config epoch
 * @param lead the owner; in a shard that never had slots, the live member that is to receive them. Empty while an owner
 *     that is not live is believed in
 */
record Shard(
        ShardId id,
        boolean wanted,
        List<Member> members,
        List<Seat> seats,
        Optional<Member> owner,
        Optional<Member> lead) {

    private static final Comparator<Member> BY_EPOCH = Comparator.comparing(member ->
            member.answer().map(answer -> answer.self().epoch().value()).orElse(0L));

    Shard {
        members = List.copyOf(members);
        seats = List.copyOf(seats);
    }

    static Shard of(ShardId id, List<Member> members, Situation situation) {
        List<Seat> seats = members.stream()
                .map(Member::ordinal)
                .distinct()
                .sorted()
                .map(ordinal -> Seat.of(
                        ordinal,
                        members.stream()
                                .filter(member -> member.ordinal() == ordinal)
                                .toList(),
                        situation))
                .toList();
        Optional<Member> owner = members.stream().filter(Member::ownsSlots).max(BY_EPOCH);
        boolean wanted = id.index() < situation.spec.shards();
        return new Shard(id, wanted, members, seats, owner, owner.or(() -> designated(members, situation)));
    }

    /** Who is to receive the first slots: whoever is followed already, else the lowest seat. */
    private static Optional<Member> designated(List<Member> members, Situation situation) {
        List<NodeId> followed =
                members.stream().flatMap(member -> member.follows().stream()).toList();
        // Also a node whose ValkeyNode is gone: who follows it may hold all of its data.
        boolean believedOwned = Stream.concat(
                        members.stream().flatMap(member -> member.nodeId().stream()), followed.stream())
                .anyMatch(id -> !situation.believedSlots(id).isEmpty());
        if (believedOwned) {
            return Optional.empty();
        }
        return members.stream()
                .filter(member -> member.live() && !situation.disposable(member))
                .filter(member -> member.answer().orElseThrow().role() == Role.PRIMARY)
                .min(Comparator.comparing((Member member) -> !followed.contains(member.liveId()))
                        .thenComparing(member -> !situation.upToDate(member))
                        .thenComparingInt(Member::ordinal)
                        .thenComparing(Member::name));
    }

    /** Slots that the owner says it serves; none without an owner. */
    SlotSet slots() {
        return owner.map(member -> member.answer().orElseThrow().self().slots()).orElse(SlotSet.EMPTY);
    }

    List<Seat> filledSeats() {
        return seats.stream().filter(Seat::filled).toList();
    }

    List<Member> live() {
        return members.stream().filter(Member::live).toList();
    }

    /** Members that are there or on their way. */
    List<Member> standing() {
        return members.stream().filter(member -> !member.lost()).toList();
    }

    /** Whether a member of this shard is being replaced by another. */
    boolean inHandover() {
        return seats.stream().anyMatch(seat -> !seat.replaced().isEmpty());
    }
}
