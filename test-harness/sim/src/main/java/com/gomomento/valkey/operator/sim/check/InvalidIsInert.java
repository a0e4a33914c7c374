package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.declare.Resolution;
import com.gomomento.valkey.operator.core.declare.SpecResolver;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import com.gomomento.valkey.operator.sim.kubernetes.ApiServer;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Mirror;
import com.gomomento.valkey.operator.sim.kubernetes.SimKubernetesPort;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * S16: every pod is made from inputs that could be used, now or at an earlier time. What a wish that can't be used came to
 * would show in the first pod that is made for it, before anything that runs is touched.
 */
public final class InvalidIsInert extends Invariant {

    /** By cluster's UID: templates of all inputs that ever held and could be used. */
    private final Map<String, Set<String>> usable = new TreeMap<>();

    /** By cluster's UID: the last wish that could be used. A change of what it refers to counts although the wish differs now. */
    private final Map<String, Stored> lastUsable = new TreeMap<>();

    /** Looks at these models. */
    public InvalidIsInert(Truth truth) {
        super("S16 Invalid is inert", truth);
        truth.api().listen(this::changed);
    }

    private void changed(ApiServer.Change change) {
        switch (change.object().key().kind()) {
            case CLUSTER -> {
                Stored known = lastUsable.get(change.object().uid());
                boolean sameWish = known != null
                        && known.cluster()
                                .wish()
                                .equals(change.object().cluster().wish());
                if (!change.deleted() && !sameWish) {
                    note(change.object());
                }
            }
            case CONFIG, IMAGE -> {
                truth().clusters().forEach(this::note);
                Set.copyOf(lastUsable.values()).forEach(this::note);
            }
            default -> {
                // Nothing else is an input.
            }
        }
    }

    private void note(Stored cluster) {
        ClusterKey key = new ClusterKey(cluster.key().namespace(), cluster.key().name());
        Resolution resolution = SpecResolver.resolve(
                SimKubernetesPort.declaration(key, cluster),
                Mirror.catalog(truth().api().list(Kind.CONFIG), truth().api().list(Kind.IMAGE)),
                ZoneSpread.BEST_EFFORT);
        if (resolution instanceof Resolution.Resolved(var spec)) {
            Fingerprint template = ServerConfig.template(spec);
            usable.computeIfAbsent(cluster.uid(), _ -> new TreeSet<>()).add(template.hex());
            lastUsable.put(cluster.uid(), cluster);
        }
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        if (verb != WriteListener.Verb.CREATE || !(after.content() instanceof Content.Pod pod)) {
            return;
        }
        Set<String> known = usable.getOrDefault(after.owner().orElse(""), Set.of());
        check(
                known.contains(pod.template().hex()),
                "an operator makes pod " + after.key().name() + " from inputs that never could be used");
    }
}
