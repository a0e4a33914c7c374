package com.gomomento.valkey.operator.core.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One place in a shard and who sits on it. While a member is replaced, two do: the one that is to stay and the one that
 * leaves once the other has all it has. Who stays is read from what they are, never from who came last: if a change is taken
 * back half way, the older one stays.
 *
 * @param ordinal number of the place, from 0
 * @param standing members that are there or on their way, the one that is to stay first
 * @param lost members that never come back
 */
record Seat(int ordinal, List<Member> standing, List<Member> lost) {

    Seat {
        standing = List.copyOf(standing);
        lost = List.copyOf(lost);
    }

    static Seat of(int ordinal, List<Member> members, Situation situation) {
        Comparator<Member> stays = Comparator.comparing((Member member) -> !situation.currentTemplate(member))
                .thenComparing(member -> !situation.config.reached(member))
                .thenComparing(member -> !member.ownsSlots())
                .thenComparing(member -> !member.live())
                .thenComparing(member -> !member.inSync())
                .thenComparing(Member::name);
        return new Seat(
                ordinal,
                members.stream()
                        .filter(member -> !member.lost() && !situation.disposable(member))
                        .sorted(stays)
                        .toList(),
                members.stream()
                        .filter(member -> member.lost() || situation.disposable(member))
                        .toList());
    }

    /** The member that is to stay. */
    Optional<Member> keeper() {
        return standing.stream().findFirst();
    }

    /** Members that leave as soon as the keeper has what they have. */
    List<Member> replaced() {
        return standing.isEmpty() ? List.of() : standing.subList(1, standing.size());
    }

    boolean filled() {
        return !standing.isEmpty();
    }
}
