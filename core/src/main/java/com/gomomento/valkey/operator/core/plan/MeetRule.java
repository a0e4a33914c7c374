package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gap: a live member is missing from another's view, or stands there with an address that it no longer has.
 *
 * <p>Action: introduce it; a handshake that is under way is left alone. While a cluster is formed one node introduces all, and
 * gossip tells the rest: that is quicker than a full mesh. Later, newcomers are few: several nodes introduce them at once, since
 * a newcomer can be used only when all know it, and gossip may take as long as the node time-out to reach the last.
 *
 * <p>Evidence: both are pods that this cluster's UID owns, and both answered under the id that is introduced.
 *
 * <p>Guard: each peer is asked for its id at its address once more.
 *
 * <p>Invariants: S10.
 */
final class MeetRule implements Rule {

    /** Nodes that introduce newcomers at the same time; gossip from so many reaches any cluster soon. */
    private static final int MAX_HOSTS = 16;

    @Override
    public void apply(Situation situation, Draft draft) {
        List<Member> live = situation.live;
        boolean claimsFirst = !situation.served() && !situation.complete;
        if (live.size() < 2 || claimsFirst) {
            return;
        }
        List<Member> byStanding = live.stream()
                .sorted(Comparator.comparing(Member::ownsSlots)
                        .thenComparingInt(member -> view(member).size())
                        .reversed()
                        .thenComparing(Member::name))
                .toList();
        List<Member> hosts = live.stream().anyMatch(Member::ownsSlots) && situation.served()
                ? byStanding.stream()
                        .filter(member -> member.ownsSlots() || member.follows().isPresent())
                        .limit(MAX_HOSTS)
                        .toList()
                : byStanding.subList(0, 1);
        Set<NodeName> joining = new TreeSet<>();
        for (Member host : hosts) {
            List<ValkeyAction.Peer> strangers = strangers(host, live);
            if (!strangers.isEmpty()) {
                strangers.forEach(peer -> joining.add(peer.name()));
                draft.act(new ValkeyAction.Meet(host.name(), host.liveId(), strangers));
            }
        }
        if (!joining.isEmpty()) {
            draft.because(Reason.Kind.PROGRESS, joining.size() + " of " + live.size() + " nodes are to join");
        }
    }

    private static List<ValkeyAction.Peer> strangers(Member host, List<Member> live) {
        List<ValkeyAction.Peer> strangers = new ArrayList<>();
        for (Member member : live) {
            Optional<String> ip = member.pod().flatMap(pod -> pod.ip());
            if (!member.is(host) && ip.isPresent() && stranger(member, ip.get(), view(host))) {
                strangers.add(new ValkeyAction.Peer(member.name(), member.liveId(), ip.get()));
            }
        }
        return strangers;
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
