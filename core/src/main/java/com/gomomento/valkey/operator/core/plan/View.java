package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.Beliefs;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * What some live members believe alike. At peace there is one view for the whole cluster, and comparing views costs the
 * number of members, not its square.
 *
 * @param beliefs what they believe
 * @param tellers who says so
 */
record View(Beliefs beliefs, List<Member> tellers) {

    View {
        tellers = List.copyOf(tellers);
    }

    /** The views of {@code live}, in the order of the first that tells each. */
    static List<View> of(List<Member> live) {
        IdentityHashMap<Beliefs, List<Member>> tellers = new IdentityHashMap<>();
        List<Beliefs> order = new ArrayList<>();
        for (Member member : live) {
            Beliefs beliefs = member.answer().orElseThrow().view();
            tellers.computeIfAbsent(beliefs, first -> {
                        order.add(first);
                        return new ArrayList<>();
                    })
                    .add(member);
        }
        return order.stream()
                .map(beliefs -> new View(beliefs, tellers.getOrDefault(beliefs, List.of())))
                .toList();
    }
}
