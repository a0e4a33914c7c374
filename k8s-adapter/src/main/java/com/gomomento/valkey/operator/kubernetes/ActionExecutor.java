package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeletePod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeleteRecord;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.MarkPod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.WriteRecordStatus;
import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.kubernetes.OwnedWriter.Creation;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Carries out one action. Each may be repeated at any time, after any crash, and by two operators at once. */
final class ActionExecutor {

    private static final String WHOLE = "";
    private static final int PASSWORD_BYTES = 32;

    private final OwnedWriter writer;
    private final StatusWriter status;
    private final SecureRandom random = new SecureRandom();

    ActionExecutor(OwnedWriter writer, StatusWriter status) {
        this.writer = writer;
        this.status = status;
    }

    ActionResult run(ClusterDeclaration owner, KubernetesAction action) {
        return switch (action) {
            case KubernetesAction.ApplyService _ ->
                writer.apply(ResourceKind.SERVICE, owner, Names.service(owner.key()), OwnedObjects.service(owner));
            case KubernetesAction.ApplyServerConfig(String content) ->
                writer.apply(
                        ResourceKind.CONFIG_MAP,
                        owner,
                        Names.serverConfig(owner.key()),
                        OwnedObjects.serverConfig(owner, content));
            case KubernetesAction.ApplyAclFile(var content) ->
                writer.apply(
                        ResourceKind.SECRET, owner, Names.access(owner.key()), OwnedObjects.access(owner, content));
            case KubernetesAction.ApplyDisruptionBudget(int minAvailable) ->
                writer.apply(
                        ResourceKind.DISRUPTION_BUDGET,
                        owner,
                        Names.disruptionBudget(owner.key()),
                        OwnedObjects.disruptionBudget(owner, minAvailable));
            case KubernetesAction.CreateCredentials _ -> createCredentials(owner);
            case CreateMember member -> createMember(owner, member);
            case DeletePod pod -> deletePod(owner, pod);
            case DeleteRecord node -> deleteRecord(owner, node);
            case MarkPod pod -> markPod(owner, pod);
            case WriteRecordStatus node -> writeRecordStatus(owner, node);
            case KubernetesAction.MarkFormed _ -> status.markFormed(owner);
        };
    }

    /**
     * The record of the intention first, then the Pod. A record that was there before tells whether it has had its pod: a
     * lost pod is replaced under a new name and never made again, whatever an old view says.
     */
    private ActionResult createMember(ClusterDeclaration owner, CreateMember member) {
        ObjectName name = Names.member(owner.key(), member.name());
        switch (writer.create(ResourceKind.NODE, owner, name, OwnedObjects.node(owner, member))) {
            case Creation.Made _ -> {
                // The Pod comes next.
            }
            case Creation.Existed(KubeObject node)
            when node.terminating() -> {
                return OwnedWriter.terminating(ResourceKind.NODE, name);
            }
            case Creation.Existed(KubeObject node)
            when node.at("status").has("podUID") -> {
                return podOfKnownMember(name, node);
            }
            case Creation.Existed _ -> {
                // An earlier attempt came this far.
            }
            case Creation.Failed(ActionResult result) -> {
                return result;
            }
        }
        return switch (writer.create(ResourceKind.POD, owner, name, PodTemplate.pod(owner, member))) {
            case Creation.Made _ -> new ActionResult.Applied();
            case Creation.Existed(KubeObject pod)
            when pod.terminating() -> OwnedWriter.terminating(ResourceKind.POD, name);
            case Creation.Existed _ -> new ActionResult.AlreadyDone();
            case Creation.Failed(ActionResult result) -> result;
        };
    }

    private ActionResult podOfKnownMember(ObjectName name, KubeObject node) {
        Answer answer = writer.fetch(ResourceKind.POD, name);
        if (!(answer instanceof Answer.Reply reply)) {
            return answer.asResult();
        }
        boolean same = reply.successful()
                && reply.body().uid().equals(node.at("status").text("podUID").orElse(""))
                && !reply.body().terminating();
        return same
                ? new ActionResult.AlreadyDone()
                : new ActionResult.Rejected(
                        "member " + name.name() + " has had its pod; a lost pod is replaced under a new name");
    }

    /** Fills in only what is missing: a password that is in use must not change under the servers. */
    private ActionResult createCredentials(ClusterDeclaration owner) {
        ObjectName name = Names.credentials(owner.key());
        Credentials fresh = new Credentials(password(), password());
        return switch (writer.create(ResourceKind.SECRET, owner, name, OwnedObjects.credentials(owner, fresh))) {
            case Creation.Made _ -> new ActionResult.Applied();
            case Creation.Existed(KubeObject secret) -> completeCredentials(owner, secret, fresh);
            case Creation.Failed(ActionResult result) -> result;
        };
    }

    private ActionResult completeCredentials(ClusterDeclaration owner, KubeObject secret, Credentials fresh) {
        SortedMap<String, String> missing = new TreeMap<>(OwnedObjects.credentialsData(fresh));
        KubeObject data = secret.at("data");
        missing.keySet().removeIf(key -> data.text(key).isPresent());
        SortedMap<String, String> labels = Markers.labels(owner.key());
        if (missing.isEmpty() && secret.metadata().has(Map.of("labels", labels))) {
            return new ActionResult.AlreadyDone();
        }
        SortedMap<String, Object> guard = guard(secret.uid());
        guard.put("resourceVersion", secret.resourceVersion());
        guard.put("labels", labels);
        return writer.merge(ResourceKind.SECRET, Names.credentials(owner.key()), WHOLE, guard, Map.of("data", missing));
    }

    private ActionResult deletePod(ClusterDeclaration owner, DeletePod pod) {
        ObjectName name = Names.member(owner.key(), pod.name());
        return writer.belongsToAnother(ResourceKind.POD, name, pod.uid(), owner)
                ? OwnedWriter.foreign(ResourceKind.POD, name)
                : writer.delete(ResourceKind.POD, name, pod.uid(), Map.of("gracePeriodSeconds", pod.graceSeconds()));
    }

    private ActionResult deleteRecord(ClusterDeclaration owner, DeleteRecord node) {
        ObjectName name = Names.member(owner.key(), node.name());
        return writer.belongsToAnother(ResourceKind.NODE, name, node.uid(), owner)
                ? OwnedWriter.foreign(ResourceKind.NODE, name)
                : writer.delete(ResourceKind.NODE, name, node.uid(), Map.of());
    }

    /** A merge and no apply: an apply would take away what an earlier one had set and this one doesn't name. */
    private ActionResult markPod(ClusterDeclaration owner, MarkPod pod) {
        ObjectName name = Names.member(owner.key(), pod.name());
        if (writer.belongsToAnother(ResourceKind.POD, name, pod.uid(), owner)) {
            return OwnedWriter.foreign(ResourceKind.POD, name);
        }
        SortedMap<String, Object> metadata = guard(pod.uid());
        if (!pod.labels().isEmpty()) {
            metadata.put("labels", pod.labels());
        }
        if (!pod.annotations().isEmpty()) {
            metadata.put("annotations", pod.annotations());
        }
        return writer.merge(ResourceKind.POD, name, WHOLE, metadata, Map.of());
    }

    private ActionResult writeRecordStatus(ClusterDeclaration owner, WriteRecordStatus node) {
        ObjectName name = Names.member(owner.key(), node.name());
        return writer.belongsToAnother(ResourceKind.NODE, name, node.uid(), owner)
                ? OwnedWriter.foreign(ResourceKind.NODE, name)
                : status.writeRecord(name, node);
    }

    /**
     * The API server refuses a change of the UID, so naming it lets a write reach only the object that was meant. That does
     * not hold for the status of a custom resource, see {@link StatusWriter}.
     */
    private static SortedMap<String, Object> guard(String uid) {
        return new TreeMap<>(Map.of("uid", uid));
    }

    private SecretText password() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return SecretText.of(HexFormat.of().formatHex(bytes));
    }
}
