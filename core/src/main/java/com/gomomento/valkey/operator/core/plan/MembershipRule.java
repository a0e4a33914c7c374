package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Gap: a shard has fewer standing members than the wish asks for.
 *
 * <p>Action: create the missing ones. A lost member's seat is filled by a successor under a new name; a written-down member
 * without a pod gets its pod; a pod that lost its ValkeyNode gets it back. Where servers of a shard die soon after their
 * start, each further try waits twice as long.
 *
 * <p>Evidence: Kubernetes says that the pod has ended, is being deleted, or is gone. Silence is none.
 */
final class MembershipRule implements Rule {

    private static final int MAX_DELAY_SECONDS = 300;
    private static final int MAX_DOUBLINGS = 9;

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!SupportRule.complete(situation)
                || BootstrapFailure.detect(situation).isPresent()) {
            return;
        }
        Set<NodeName> chosen = new HashSet<>();
        for (Shard shard : situation.shards.values()) {
            if (shard.id().index() < situation.shardCount()) {
                fill(shard, situation, draft, chosen);
            }
        }
    }

    private static void fill(Shard shard, Situation situation, Draft draft, Set<NodeName> chosen) {
        List<Member> standing = shard.standing().stream()
                .filter(member -> !situation.disposable(member))
                .toList();
        standing.stream()
                .filter(member -> member.vitality() == Member.Vitality.PLANNED || !Situation.recorded(member))
                .forEach(member -> draft.act(create(
                        situation, shard.id(), member.ordinal(), member.record().replaces(), member.name())));
        int missing = situation.spec.membersPerShard() - standing.size();
        if (missing <= 0) {
            return;
        }
        Optional<Instant> notBefore = notBefore(situation, shard.id());
        if (notBefore.filter(situation.now::isBefore).isPresent()) {
            draft.wakeBy(notBefore.orElseThrow());
            return;
        }
        draft.because(
                Reason.Kind.PROGRESS,
                "creating " + missing + " nodes of shard " + shard.id().index());
        List<Member> vacated = shard.members().stream()
                .filter(member -> member.lost() || situation.disposable(member))
                .filter(member -> !situation.superseded.contains(member.name()))
                .toList();
        int ordinal = 0;
        for (int i = 0; i < missing; i++) {
            if (i < vacated.size()) {
                Member old = vacated.get(i);
                seat(situation, draft, chosen, shard.id(), old.ordinal(), Optional.of(old.name()));
            } else {
                while (seated(shard, ordinal)) {
                    ordinal++;
                }
                seat(situation, draft, chosen, shard.id(), ordinal, Optional.empty());
                ordinal++;
            }
        }
    }

    private static boolean seated(Shard shard, int ordinal) {
        return shard.members().stream().anyMatch(member -> member.ordinal() == ordinal);
    }

    private static void seat(
            Situation situation,
            Draft draft,
            Set<NodeName> chosen,
            ShardId shard,
            int ordinal,
            Optional<NodeName> replaces) {
        NodeName name = MemberNames.derive(
                situation.declaration.uid(),
                situation.spec.key().name(),
                shard,
                ordinal,
                replaces,
                candidate -> situation.members.containsKey(candidate) || chosen.contains(candidate));
        chosen.add(name);
        draft.act(create(situation, shard, ordinal, replaces, name));
    }

    private static KubernetesAction.CreateMember create(
            Situation situation, ShardId shard, int ordinal, Optional<NodeName> replaces, NodeName name) {
        return new KubernetesAction.CreateMember(
                name,
                shard,
                ordinal,
                replaces,
                situation.spec,
                situation.template,
                situation.accessFile.orElseThrow().fingerprint());
    }

    /** The first death is answered at once; the n-th in a row waits 2^(n-1) seconds, five minutes at most. */
    private static Optional<Instant> notBefore(Situation situation, ShardId shard) {
        return Optional.ofNullable(situation.ledger.crashes().get(shard))
                .filter(crashes -> crashes.count() > 1 && crashes.template().equals(situation.template))
                .map(crashes -> crashes.lastAt().plus(delay(crashes.count())));
    }

    private static Duration delay(int count) {
        return Duration.ofSeconds(Math.min(1L << Math.min(count - 1, MAX_DOUBLINGS), MAX_DELAY_SECONDS));
    }
}
