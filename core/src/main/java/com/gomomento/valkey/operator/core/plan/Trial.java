package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What lost members are made from while nobody has seen the wish run. A change is tried on one member, beside the old one,
 * where it costs nothing if it can't run. A seat that has lost its member has no old one beside it: made from an image or a
 * directive that has just failed, its successor would fail too, and a shard would go on without its copy until a person has
 * corrected the wish. So while a wish is doubted and a seat is open, everything is planned as though image, resources,
 * directives and placement were still those with which members run; the wish is tried again once all seats are taken.
 */
final class Trial {

    private Trial() {}

    /**
     * Why the wish is doubted: a pod that was made from it can't start or has ended soon, and no member runs with it. Empty
     * if there is no doubt.
     */
    static Optional<Ledger.Doubt> doubt(Situation wished) {
        if (!wished.formed() || proven(wished)) {
            return Optional.empty();
        }
        return wished.ledger
                .doubt()
                .filter(doubt -> doubt.inputs().equals(wished.inputs))
                .or(() -> failure(wished).map(why -> new Ledger.Doubt(wished.inputs, why, false)));
    }

    /** The doubt to remember, after what was planned with: that members can't be made from the earlier inputs either ends it all. */
    static Optional<Ledger.Doubt> next(Optional<Ledger.Doubt> doubt, Situation planned) {
        boolean vain = planned.stopgap && failure(planned).isPresent();
        return doubt.map(known -> vain ? new Ledger.Doubt(known.inputs(), known.why(), true) : known);
    }

    /** What to plan with: the wish, or the same shards, replicas and users with the inputs that members run with. */
    static Situation settle(Situation wished, Optional<Ledger.Doubt> doubt, Function<ClusterSpec, Situation> with) {
        return doubt.filter(known -> !known.vain() && seatIsOpen(wished))
                .flatMap(ignored -> running(wished))
                .map(with)
                .orElse(wished);
    }

    /** Says what is done meanwhile. */
    static void tell(Optional<Ledger.Doubt> doubt, Situation planned, Draft draft) {
        if (planned.stopgap) {
            draft.because(
                    Reason.Kind.BLOCKED,
                    "what is wished can't run (" + doubt.orElseThrow().why()
                            + "), lost nodes are made from what the others run with");
        }
    }

    /** Whether some member runs with all that new ones are made from. */
    private static boolean proven(Situation situation) {
        Directives forNew = Directives.of(situation.config.forNew());
        return situation.live.stream()
                .anyMatch(member -> situation.currentTemplate(member)
                        && situation
                                .config
                                .written(member)
                                .filter(forNew::equals)
                                .isPresent());
    }

    private static Optional<String> failure(Situation situation) {
        return situation.members.values().stream()
                .flatMap(member -> member.pod().stream())
                .filter(situation::current)
                .flatMap(pod -> failure(pod, situation).stream())
                .findFirst();
    }

    private static Optional<String> failure(PodView pod, Situation situation) {
        if (pod.finished()) {
            String how = Ending.of(pod);
            return situation.diedSoon(pod)
                    ? Optional.of(how.isEmpty() ? "pod " + pod.name() + " ended" : how)
                    : Optional.empty();
        }
        return pod.trouble().map(trouble -> switch (trouble) {
            case PodView.Unschedulable(String message) -> message;
            case PodView.Waiting(String reason, String message) -> reason + (message.isBlank() ? "" : ": " + message);
        });
    }

    /** Whether a seat that once had a member has none that is known to run. */
    private static boolean seatIsOpen(Situation situation) {
        return situation.shards.values().stream().filter(Shard::wanted).anyMatch(shard -> {
            boolean vacant = shard.filledSeats().size() < situation.spec.membersPerShard();
            return shard.seats().stream()
                    .filter(seat -> seat.standing().stream().noneMatch(member -> member.live() || member.silent()))
                    .anyMatch(seat -> seat.filled() ? successor(seat) : vacant);
        });
    }

    private static boolean successor(Seat seat) {
        return seat.standing().stream()
                .anyMatch(member -> member.record().replaces().isPresent());
    }

    /**
     * The wish with image, release and directives of a member that runs, if those are all that differ. That resources and
     * placement are the same is read from the fingerprint on its pod.
     */
    private static Optional<ClusterSpec> running(Situation situation) {
        return situation.live.stream()
                .map(member -> running(member, situation).orElse(null))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static Optional<ClusterSpec> running(Member member, Situation situation) {
        ClusterSpec wish = situation.spec;
        PodView pod = member.pod().orElseThrow();
        Optional<ServerVersion> version = member.version();
        Optional<Directives> directives = situation
                .config
                .written(member)
                .filter(written -> written.doubtful().isEmpty());
        if (version.isEmpty() || directives.isEmpty()) {
            return Optional.empty();
        }
        ClusterSpec spec = wish.withServer(new ServerSpec(
                pod.image(),
                version.get(),
                wish.server().resources(),
                directives.get().values()));
        return Optional.of(spec)
                .filter(same -> pod.template()
                        .filter(ServerConfig.template(same)::equals)
                        .isPresent());
    }
}
