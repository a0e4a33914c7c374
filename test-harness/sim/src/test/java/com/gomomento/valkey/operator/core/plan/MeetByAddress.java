package com.gomomento.valkey.operator.core.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Members that are lost are introduced anew at the address that was written down for them, without asking who answers there,
 * until they return. An address that a dead pod has left may by then belong to a pod of another cluster.
 */
final class MeetByAddress implements Rule {

    private static final Duration POLL = Duration.ofSeconds(2);

    static Planning planning() {
        Rule nobody = (situation, draft) -> {
            // Nobody is ever forgotten.
        };
        List<Rule> rules = new ArrayList<>(Planner.rules());
        rules.replaceAll(rule -> rule instanceof ForgetRule ? nobody : rule);
        rules.addFirst(new MeetByAddress());
        return Planner.of(rules);
    }

    @Override
    public void apply(Situation situation, Draft draft) {
        for (Member host : situation.live) {
            List<ValkeyAction.Peer> peers = new ArrayList<>();
            for (Member lost : situation.lostById.values()) {
                lost.record()
                        .status()
                        .podIp()
                        .ifPresent(ip -> peers.add(new ValkeyAction.Peer(lost.name(), host.liveId(), ip)));
            }
            if (!peers.isEmpty()) {
                draft.wakeWithin(POLL);
                draft.act(new ValkeyAction.Meet(host.name(), host.liveId(), peers));
            }
        }
    }
}
