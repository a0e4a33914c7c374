package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import java.util.Map;
import java.util.TreeMap;

/** S16: while a cluster's wish can't be used, no pod that runs well is deleted. */
public final class InvalidIsInert extends Invariant {

    /** By then an operator must have heard of it, however late its watches are. */
    private static final long HEARD_MILLIS = 40_000;

    private final Map<String, Long> invalidSince = new TreeMap<>();

    /** Looks at these models. */
    public InvalidIsInert(Truth truth) {
        super("S16 Invalid is inert", truth);
    }

    @Override
    public void moment() {
        for (Stored cluster : truth().clusters()) {
            boolean usable = truth().api()
                    .get(ObjectKey.catalog(Kind.CONFIG, cluster.cluster().wish().config()))
                    .isPresent();
            if (usable) {
                invalidSince.remove(cluster.uid());
            } else {
                invalidSince.putIfAbsent(cluster.uid(), truth().timeline().nowMillis());
            }
        }
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        if (verb != WriteListener.Verb.DELETE || before.key().kind() != Kind.POD) {
            return;
        }
        Long since = invalidSince.get(before.owner().orElse(""));
        if (since == null) {
            return;
        }
        boolean heard = truth().timeline().nowMillis() - since > HEARD_MILLIS;
        check(
                !heard || !before.pod().state().ready() || before.terminating(),
                "an operator deletes pod " + before.key().name() + " for a wish that can't be used");
    }
}
