package com.gomomento.valkey.operator.core.plan;

import java.util.TreeMap;

/** Each step notes on a pod when it was, and the watch of that pod wakes the operator for the next. */
final class LastReconciledAt implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        situation.observation.kubernetes().pods().values().stream().findFirst().ifPresent(pod -> {
            TreeMap<String, String> noted = new TreeMap<>();
            noted.put("last-reconciled-at", situation.now.toString());
            draft.act(new KubernetesAction.MarkPod(pod.name(), pod.uid(), new TreeMap<>(), noted));
        });
    }
}
