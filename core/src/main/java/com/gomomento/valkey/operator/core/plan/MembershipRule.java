package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Gap: a shard that the wish has lacks members.
 *
 * <p>Action: create the missing ones. A vacated seat is filled by a successor under a new name; a written-down member without
 * a pod gets its pod; a pod that lost its ValkeyNode gets it back. Where servers of a shard die soon after their start, each
 * further try waits twice as long.
 *
 * <p>Evidence: Kubernetes says that the pod has ended, is being deleted, or is gone. Silence is none.
 *
 * <p>Guard: names derive from what a member replaces, so the same decision twice creates once.
 *
 * <p>Invariants: S14, S16.
 */
final class MembershipRule implements Rule {

    private static final int MAX_DELAY_SECONDS = 300;
    private static final int MAX_DOUBLINGS = 9;

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!SupportRule.complete(situation) || situation.creationFailure.isPresent()) {
            return;
        }
        Set<NodeName> chosen = new HashSet<>();
        for (Shard shard : situation.shards.values()) {
            shard.standing().stream()
                    .filter(member -> !situation.disposable(member))
                    .filter(member -> member.vitality() == Member.Vitality.PLANNED || !Members.recorded(member))
                    .forEach(member -> draft.act(create(
                            situation, shard, member.ordinal(), member.record().replaces(), member.name())));
            if (shard.wanted()) {
                fill(shard, situation, draft, chosen);
            }
        }
    }

    private static void fill(Shard shard, Situation situation, Draft draft, Set<NodeName> chosen) {
        int missing = situation.spec.membersPerShard() - shard.filledSeats().size();
        if (missing <= 0) {
            return;
        }
        if (mustWait(shard, situation, draft)) {
            draft.because(
                    Reason.Kind.PROGRESS,
                    "shard " + shard.id().index() + " lacks " + missing + " nodes; a pause after each death grows");
            return;
        }
        draft.because(
                Reason.Kind.PROGRESS,
                "creating " + missing + " nodes of shard " + shard.id().index());
        List<Seat> vacant =
                shard.seats().stream().filter(seat -> !seat.filled()).toList();
        int ordinal = 0;
        for (int i = 0; i < missing; i++) {
            if (i < vacant.size()) {
                Member old = vacant.get(i).lost().getLast();
                draft.act(seat(shard, old.ordinal(), Optional.of(old.name()), situation, chosen));
            } else {
                while (seated(shard, ordinal)) {
                    ordinal++;
                }
                draft.act(seat(shard, ordinal, Optional.empty(), situation, chosen));
                ordinal++;
            }
        }
    }

    private static boolean seated(Shard shard, int ordinal) {
        return shard.members().stream().anyMatch(member -> member.ordinal() == ordinal);
    }

    /** A new member for a seat, under a name that no member and none of {@code chosen} has. */
    static KubernetesAction.CreateMember seat(
            Shard shard, int ordinal, Optional<NodeName> replaces, Situation situation, Set<NodeName> chosen) {
        NodeName name = MemberNames.derive(
                situation.declaration.uid(),
                situation.spec.key().name(),
                shard.id(),
                ordinal,
                replaces,
                candidate -> situation.members.containsKey(candidate) || chosen.contains(candidate));
        chosen.add(name);
        return create(situation, shard, ordinal, replaces, name);
    }

    private static KubernetesAction.CreateMember create(
            Situation situation, Shard shard, int ordinal, Optional<NodeName> replaces, NodeName name) {
        return new KubernetesAction.CreateMember(
                name,
                shard.id(),
                ordinal,
                replaces,
                situation.specOf(shard.id()).withDirectives(situation.config.forNew()),
                situation.templateOf(shard.id()),
                situation.accessFile.orElseThrow().fingerprint());
    }

    /**
     * Whether the next try in this shard is not due yet. The first death is answered at once; the n-th in a row waits
     * 2^(n-1) seconds, five minutes at most.
     */
    static boolean mustWait(Shard shard, Situation situation, Draft draft) {
        Optional<Instant> notBefore =
                situation.crashing(shard.id()).map(crashes -> crashes.lastAt().plus(delay(crashes.count())));
        boolean waits = notBefore.filter(situation.now::isBefore).isPresent();
        if (waits) {
            draft.wakeBy(notBefore.orElseThrow());
        }
        return waits;
    }

    private static Duration delay(int count) {
        return Duration.ofSeconds(Math.min(1L << Math.min(count - 1, MAX_DOUBLINGS), MAX_DELAY_SECONDS));
    }
}
