package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Gap: a live member is missing from the view of the member that introduces all others, or stands there with an
 * address that it no longer has.
 *
 * <p>Action: introduce it; gossip tells the rest. Introductions from one node are quicker than a full mesh, and a handshake
 * that is under way is left alone.
 *
 * <p>Evidence: both are pods that this cluster's UID owns, and both answered under the id that is introduced.
 *
 * <p>Guard: each peer is asked for its id at its address once more.
 *
 * <p>Invariants: S10.
 */
final class MeetRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        List<Member> live = situation.live;
        boolean claimsFirst = !situation.served()
                && !SlotSet.union(situation.believedOwners().values()).equals(SlotSet.ALL);
        if (live.size() < 2 || claimsFirst) {
            return;
        }
        Member host = live.stream()
                .max(Comparator.comparing(Member::ownsSlots)
                        .thenComparingInt(member -> view(member).size())
                        .thenComparing(Comparator.comparing(Member::name).reversed()))
                .orElseThrow();
        List<ValkeyAction.Peer> strangers = new ArrayList<>();
        for (Member member : live) {
            Optional<String> ip = member.pod().flatMap(pod -> pod.ip());
            if (ip.isPresent() && stranger(member, ip.get(), view(host))) {
                strangers.add(new ValkeyAction.Peer(member.name(), member.liveId(), ip.get()));
            }
        }
        if (!strangers.isEmpty()) {
            draft.because(Reason.Kind.PROGRESS, strangers.size() + " of " + live.size() + " nodes are to join");
            draft.act(new ValkeyAction.Meet(host.name(), host.liveId(), strangers));
        }
    }

    private static boolean stranger(Member member, String ip, Beliefs host) {
        Optional<MemberBelief> known = host.of(member.liveId());
        boolean moved = known.filter(line ->
                        !line.handshake() && !line.linkUp() && !line.ip().equals(Optional.of(ip)))
                .isPresent();
        return (known.isEmpty() || moved)
                && host.all().stream()
                        .noneMatch(line ->
                                line.handshake() && line.ip().filter(ip::equals).isPresent());
    }

    private static Beliefs view(Member live) {
        return live.answer().orElseThrow().view();
    }
}
