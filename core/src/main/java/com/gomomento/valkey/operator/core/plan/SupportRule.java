package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.KubernetesView;
import java.util.OptionalInt;

/**
 * Gap: an object that members lean on is missing or differs: Service, ConfigMap, Secrets, PodDisruptionBudget.
 *
 * <p>Action: apply it. The credentials are made once and never overwritten, and the ACL file follows from them. The budget
 * lets one node go at a time; while a shard is not in order it lets none go, since Kubernetes counts a replacement as soon as
 * its port is open, long before it holds a copy.
 *
 * <p>Evidence: what the cluster's UID owns.
 *
 * <p>Guard: the object is made only if it is not there, and changed only if the cluster's UID owns it.
 *
 * <p>Invariants: S14, S19.
 */
final class SupportRule implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        KubernetesView view = situation.observation.kubernetes();
        if (!view.servicePresent()) {
            draft.act(new KubernetesAction.ApplyService());
        }
        if (!fileInPlace(situation)) {
            draft.act(new KubernetesAction.ApplyServerConfig(ServerConfig.file()));
        }
        if (view.credentials().isEmpty()) {
            draft.act(new KubernetesAction.CreateCredentials());
        }
        situation.accessFile.ifPresent(file -> {
            if (view.aclFile().filter(file::equals).isEmpty()) {
                draft.act(new KubernetesAction.ApplyAclFile(file));
            }
        });
        int minAvailable = minAvailable(situation);
        if (!view.minAvailable().equals(OptionalInt.of(minAvailable))) {
            draft.act(new KubernetesAction.ApplyDisruptionBudget(minAvailable));
        }
        if (!complete(situation)) {
            draft.because(Reason.Kind.PROGRESS, "creating Service, ConfigMap and Secrets");
        }
    }

    private static int minAvailable(Situation situation) {
        int members = situation.spec.members();
        boolean spare = !situation.served()
                || situation.shards.values().stream()
                        .allMatch(shard -> shard.standing().isEmpty() || Agreement.inOrder(shard, situation));
        return spare ? members - 1 : Math.max(members, situation.members.size());
    }

    /** Whether {@code valkey.conf} is what it is to be: a pod that starts reads just that. */
    private static boolean fileInPlace(Situation situation) {
        return situation
                .observation
                .kubernetes()
                .serverConfig()
                .filter(ServerConfig.file()::equals)
                .isPresent();
    }

    /** Whether a pod that is made now finds all that it mounts. */
    static boolean complete(Situation situation) {
        KubernetesView view = situation.observation.kubernetes();
        return view.servicePresent()
                && fileInPlace(situation)
                && view.credentials().isPresent()
                && view.aclFile().isPresent();
    }
}
