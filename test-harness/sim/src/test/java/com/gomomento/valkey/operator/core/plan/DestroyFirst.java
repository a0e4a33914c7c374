package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Comparator;

/**
 * Rolls as a StatefulSet does: when all pods are Ready, the next outdated one is deleted, highest seat first, and whatever
 * comes in its place comes afterwards. In the end the primary's turn comes, too, with its slots.
 */
final class DestroyFirst implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        boolean allReady = situation.members.values().stream()
                .allMatch(member -> member.pod().filter(PodView::ready).isPresent());
        if (!situation.formed() || !allReady) {
            return;
        }
        situation.members.values().stream()
                .filter(member -> !situation.upToDate(member))
                .max(Comparator.comparingInt(Member::ordinal))
                .flatMap(Member::pod)
                .ifPresent(pod -> draft.disrupt(new KubernetesAction.DeletePod(pod.name(), pod.uid(), 30)));
    }
}
