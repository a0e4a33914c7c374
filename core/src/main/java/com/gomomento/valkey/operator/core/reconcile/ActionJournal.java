package com.gomomento.valkey.operator.core.reconcile;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.plan.Action;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.Journal;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** The one line that is told of each action that changed something. Users' alerts match on these messages. */
final class ActionJournal {

    private static final String CONTROLLER = "operator.controller";
    private static final String BOOTSTRAP = "operator.controller.bootstrap";
    private static final String SLOTS = "operator.controller.slots";
    private static final String MEMBERSHIP = "operator.controller.membership";

    private ActionJournal() {}

    /** The line for {@code action}; none for the operator's own bookkeeping. */
    static Optional<Journal.Entry> entry(ClusterKey key, Action action) {
        return switch (action) {
            case KubernetesAction write -> ofWrite(key, write);
            case ValkeyAction command -> Optional.of(ofCommand(key, command));
        };
    }

    private static Optional<Journal.Entry> ofWrite(ClusterKey key, KubernetesAction action) {
        return switch (action) {
            case KubernetesAction.ApplyService ignored -> line(key, CONTROLLER, "creating headless Service");
            case KubernetesAction.ApplyServerConfig ignored -> line(key, CONTROLLER, "writing server configuration");
            case KubernetesAction.CreateCredentials ignored -> line(key, CONTROLLER, "creating credentials Secret");
            case KubernetesAction.ApplyAclFile ignored -> line(key, "operator.controller.acl", "writing ACL file");
            case KubernetesAction.ApplyDisruptionBudget budget ->
                line(key, CONTROLLER, "writing PodDisruptionBudget", "min_available", budget.minAvailable());
            case KubernetesAction.CreateMember member ->
                line(
                        key,
                        MEMBERSHIP,
                        "creating Pod for node",
                        "pod",
                        member.name().value(),
                        "shard",
                        member.shard().index(),
                        "replaces",
                        member.replaces().map(Object::toString).orElse(""));
            case KubernetesAction.DeletePod pod ->
                line(
                        key,
                        MEMBERSHIP,
                        "deleting Pod of retired node",
                        "pod",
                        pod.name().value());
            case KubernetesAction.DeleteRecord record ->
                line(
                        key,
                        MEMBERSHIP,
                        "removing retired node",
                        "node",
                        record.name().value());
            case KubernetesAction.MarkFormed ignored -> line(key, BOOTSTRAP, "nodes may hold data from now on");
            case KubernetesAction.MarkPod ignored -> Optional.empty();
            case KubernetesAction.WriteRecordStatus ignored -> Optional.empty();
        };
    }

    private static Journal.Entry ofCommand(ClusterKey key, ValkeyAction action) {
        return switch (action) {
            case ValkeyAction.Meet meet ->
                of(
                        key,
                        BOOTSTRAP,
                        "cluster meet issued",
                        "node",
                        meet.node().value(),
                        "peers",
                        meet.peers().stream().map(peer -> peer.name().value()).collect(Collectors.joining(",")));
            case ValkeyAction.ClaimSlots claim ->
                of(
                        key,
                        BOOTSTRAP,
                        "slots assigned",
                        "node",
                        claim.node().value(),
                        "slots",
                        claim.slots().toString());
            case ValkeyAction.Replicate replicate ->
                of(
                        key,
                        MEMBERSHIP,
                        "cluster replicate issued",
                        "node",
                        replicate.node().value(),
                        "primary_id",
                        replicate.primary().value());
            case ValkeyAction.Forget forget ->
                of(
                        key,
                        MEMBERSHIP,
                        "cluster forget issued",
                        "node",
                        forget.node().value(),
                        "forgotten_id",
                        forget.forgotten().value(),
                        "forgotten",
                        forget.was().map(Object::toString).orElse(""));
            case ValkeyAction.Failover failover -> ofFailover(key, failover);
            case ValkeyAction.MoveSlots move ->
                of(
                        key,
                        SLOTS,
                        "slot migration issued",
                        "node",
                        move.node().value(),
                        "target",
                        move.target().name().value(),
                        "slots",
                        move.slots().toString());
            case ValkeyAction.SetDirectives set ->
                of(
                        key,
                        CONTROLLER,
                        "directives set at run time",
                        "node",
                        set.node().value(),
                        "directives",
                        set.changes().toString());
            case ValkeyAction.CloseSlots close ->
                of(
                        key,
                        SLOTS,
                        "open slots closed",
                        "node",
                        close.node().value(),
                        "slots",
                        close.slots().toString());
        };
    }

    private static Journal.Entry ofFailover(ClusterKey key, ValkeyAction.Failover failover) {
        String message = switch (failover.mode()) {
            case GRACEFUL -> "failover to up-to-date replica for rolling upgrade";
            case TAKEOVER -> "no quorum — issued TAKEOVER on replica";
        };
        return of(
                key,
                "operator.controller.failover",
                message,
                "node",
                failover.node().value(),
                "primary_id",
                failover.primary().value());
    }

    private static Optional<Journal.Entry> line(ClusterKey key, String target, String message, Object... fields) {
        return Optional.of(of(key, target, message, fields));
    }

    /** Empty text fields are left out. */
    private static Journal.Entry of(ClusterKey key, String target, String message, Object... fields) {
        SequencedMap<String, Object> named = new LinkedHashMap<>();
        named.put("cluster_name", key.name());
        for (int i = 0; i < fields.length; i += 2) {
            if (!"".equals(fields[i + 1])) {
                named.put((String) fields[i], fields[i + 1]);
            }
        }
        return new Journal.Entry(Journal.Level.INFO, target, message, named);
    }
}
