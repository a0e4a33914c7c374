package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.port.Journal;
import java.util.Locale;

/** Writes plans down for people, so that a golden file shows what the operator would do and say. */
final class Transcript {

    private final StringBuilder text = new StringBuilder();

    /** Adds one scene and its plan. */
    void add(String title, Plan plan) {
        text.append("# ").append(title).append('\n');
        ClusterStatus status = plan.status();
        text.append("state    ").append(status.state()).append('\n');
        if (!status.message().isEmpty()) {
            text.append("message  ").append(status.message()).append('\n');
        }
        plan.actions()
                .forEach(action ->
                        text.append("do       ").append(describe(action)).append('\n'));
        for (Journal.Entry event : plan.events()) {
            if (!event.message().endsWith("tick")) {
                text.append("log      ")
                        .append(event.level())
                        .append(' ')
                        .append(event.message())
                        .append('\n');
            }
        }
        text.append("again in ").append(plan.requeueAfter().toMillis()).append(" ms\n\n");
    }

    private static String describe(Action action) {
        return switch (action) {
            case KubernetesAction.CreateMember member ->
                member.key() + " in shard " + member.shard().index() + " seat " + member.ordinal()
                        + member.replaces().map(name -> " for " + name).orElse("");
            case KubernetesAction.MarkPod mark ->
                mark.key() + " " + mark.labels() + mark.annotations().keySet();
            case KubernetesAction.ApplyDisruptionBudget budget -> budget.key() + " " + budget.minAvailable();
            case KubernetesAction.WriteRecordStatus record ->
                record.key() + " " + record.status().lifecycle();
            case KubernetesAction other -> other.key();
            case ValkeyAction.Meet meet ->
                meet.key() + " "
                        + meet.peers().stream().map(p -> p.name().value()).toList();
            case ValkeyAction.ClaimSlots claim ->
                claim.key() + " " + claim.slots() + " epoch " + claim.epoch().value();
            case ValkeyAction.Replicate replicate ->
                replicate.key() + " of ..." + replicate.primary().value().substring(36);
            case ValkeyAction.Forget forget ->
                "forget ..." + forget.forgotten().value().substring(36) + " on " + forget.node()
                        + (forget.withSlots() ? " with its slots" : "");
            case ValkeyAction.Failover failover ->
                failover.key() + " " + failover.mode().name().toLowerCase(Locale.ROOT);
            case ValkeyAction.MoveSlots move -> move.key() + " " + move.slots() + " " + move.method();
            case ValkeyAction.SetDirectives set -> set.key();
            case ValkeyAction.CloseSlots close -> close.key() + " " + close.slots();
        };
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
