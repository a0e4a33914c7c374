package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.CreateMember;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeletePod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.DeleteRecord;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.MarkPod;
import com.gomomento.valkey.operator.core.plan.KubernetesAction.WriteRecordStatus;
import com.gomomento.valkey.operator.core.port.ActionResult;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Carries out one action as a row of calls to the API server, in the order of the real adapter's executor. */
final class ActionRunner {

    private static final int ATTEMPTS = 3;

    private final ApiClient api;
    private final Mirror mirror;
    private final OwnedWriter writer;

    ActionRunner(ApiClient api, Mirror mirror) {
        this.api = api;
        this.mirror = mirror;
        this.writer = new OwnedWriter(api, mirror);
    }

    ActionResult run(ClusterDeclaration owner, KubernetesAction action) {
        ClusterKey key = owner.key();
        return switch (action) {
            case KubernetesAction.ApplyService _ -> writer.apply(owner, ObjectKey.service(key), new Content.Service());
            case KubernetesAction.ApplyServerConfig(String file) ->
                writer.apply(owner, ObjectKey.serverConfig(key), new Content.ServerConfig(file));
            case KubernetesAction.ApplyAclFile(var file) ->
                writer.apply(owner, ObjectKey.access(key), new Content.Access(file));
            case KubernetesAction.ApplyDisruptionBudget(int least) ->
                writer.apply(owner, ObjectKey.budget(key), new Content.DisruptionBudget(least));
            case KubernetesAction.CreateCredentials _ -> createCredentials(owner);
            case CreateMember member -> createMember(owner, member);
            case DeletePod pod -> writer.delete(owner, ObjectKey.pod(key, pod.name()), pod.uid(), pod.graceSeconds());
            case DeleteRecord node -> writer.delete(owner, ObjectKey.node(key, node.name()), node.uid(), 0);
            case MarkPod pod -> markPod(owner, pod);
            case WriteRecordStatus node -> writeRecordStatus(owner, node);
            case KubernetesAction.MarkFormed _ -> markFormed(owner);
        };
    }

    ActionResult publish(ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus status) {
        ObjectKey key = ObjectKey.cluster(owner.key());
        ActionResult last = new ActionResult.Rejected(key + " is gone");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored> seen =
                    mirror.get(key).filter(object -> object.uid().equals(owner.uid()));
            if (seen.isEmpty()) {
                return new ActionResult.Rejected(key + " is gone");
            }
            Optional<ClusterStatus> current = seen.get().cluster().status();
            if (current.equals(Optional.of(status))) {
                return new ActionResult.AlreadyDone();
            }
            if (!current.equals(observed)) {
                return new ActionResult.Rejected("another has written the status of " + key);
            }
            long version = seen.get().version();
            last = writer.mergeStatus(key, version, content -> ((Content.Cluster) content).withStatus(status));
            if (!(last instanceof ActionResult.Rejected)
                    || !(writer.fetch(key) instanceof Reply.Found(Stored there))
                    || there.version() == version) {
                return last;
            }
        }
        return last;
    }

    private ActionResult createMember(ClusterDeclaration owner, CreateMember member) {
        ObjectKey nodeKey = ObjectKey.node(owner.key(), member.name());
        Content.Node node =
                new Content.Node(member.shard(), member.ordinal(), member.replaces(), NodeRecord.Status.NEW);
        switch (writer.create(owner, nodeKey, node)) {
            case OwnedWriter.Made _ -> {
                // The Pod comes next.
            }
            case OwnedWriter.Existed(Stored there)
            when there.terminating() -> {
                return OwnedWriter.terminating(nodeKey);
            }
            case OwnedWriter.Existed(Stored there)
            when there.node().status().podUid().isPresent() -> {
                return podOfKnownMember(owner, member, there);
            }
            case OwnedWriter.Existed _ -> {
                // An earlier attempt came this far.
            }
            case OwnedWriter.Failed(ActionResult result) -> {
                return result;
            }
        }
        ObjectKey podKey = ObjectKey.pod(owner.key(), member.name());
        return switch (writer.create(owner, podKey, pod(member))) {
            case OwnedWriter.Made _ -> new ActionResult.Applied();
            case OwnedWriter.Existed(Stored there) when there.terminating() -> OwnedWriter.terminating(podKey);
            case OwnedWriter.Existed _ -> new ActionResult.AlreadyDone();
            case OwnedWriter.Failed(ActionResult result) -> result;
        };
    }

    private static Content.Pod pod(CreateMember member) {
        return new Content.Pod(
                member.shard(),
                member.template(),
                member.spec().server().image(),
                member.spec().server().version().toString(),
                member.name() + "." + member.spec().endpointHost(),
                member.labels(),
                member.annotations(),
                Content.PodState.NEW);
    }

    private ActionResult podOfKnownMember(ClusterDeclaration owner, CreateMember member, Stored node) {
        Reply reply = writer.fetch(ObjectKey.pod(owner.key(), member.name()));
        boolean same = reply instanceof Reply.Found(Stored pod)
                && node.node().status().podUid().equals(Optional.of(pod.uid()))
                && !pod.terminating();
        if (same) {
            return new ActionResult.AlreadyDone();
        }
        return switch (reply) {
            case Reply.Silence _, Reply.NotSent _ -> OwnedWriter.result(reply);
            case Reply _ ->
                new ActionResult.Rejected(
                        "member " + member.name() + " has had its pod; a lost pod is replaced under a new name");
        };
    }

    private ActionResult createCredentials(ClusterDeclaration owner) {
        Credentials fresh = new Credentials(password(), password());
        return switch (writer.create(owner, ObjectKey.credentials(owner.key()), new Content.Credentials(fresh))) {
            case OwnedWriter.Made _ -> new ActionResult.Applied();
            case OwnedWriter.Existed _ -> new ActionResult.AlreadyDone();
            case OwnedWriter.Failed(ActionResult result) -> result;
        };
    }

    private ActionResult markPod(ClusterDeclaration owner, MarkPod pod) {
        ObjectKey key = ObjectKey.pod(owner.key(), pod.name());
        if (writer.belongsToAnother(owner, key, pod.uid())) {
            return OwnedWriter.foreign(key);
        }
        return writer.merge(key, pod.uid(), content -> {
            Content.Pod there = (Content.Pod) content;
            SortedMap<String, String> labels = new TreeMap<>(there.labels());
            labels.putAll(pod.labels());
            SortedMap<String, String> annotations = new TreeMap<>(there.annotations());
            annotations.putAll(pod.annotations());
            return there.marked(labels, annotations);
        });
    }

    private ActionResult writeRecordStatus(ClusterDeclaration owner, WriteRecordStatus node) {
        ObjectKey key = ObjectKey.node(owner.key(), node.name());
        if (writer.belongsToAnother(owner, key, node.uid())) {
            return OwnedWriter.foreign(key);
        }
        ActionResult last = new ActionResult.Rejected(key + " is gone");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored> seen =
                    mirror.get(key).filter(object -> object.uid().equals(node.uid()));
            if (seen.isEmpty()) {
                return new ActionResult.Rejected(key + " is gone");
            }
            long version = seen.get().version();
            last = writer.mergeStatus(key, version, content -> {
                Content.Node there = (Content.Node) content;
                return new Content.Node(there.shard(), there.ordinal(), there.replaces(), node.status());
            });
            if (!(last instanceof ActionResult.Rejected)
                    || !(writer.fetch(key) instanceof Reply.Found(Stored there))
                    || there.version() == version) {
                return last;
            }
        }
        return last;
    }

    private ActionResult markFormed(ClusterDeclaration owner) {
        ObjectKey key = ObjectKey.cluster(owner.key());
        ActionResult last = new ActionResult.Rejected(key + " changes all the time");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Reply reply = writer.fetch(key);
            if (!(reply instanceof Reply.Found(Stored there))) {
                return OwnedWriter.result(reply);
            }
            if (!there.uid().equals(owner.uid())) {
                return new ActionResult.Rejected(key + " is gone");
            }
            if (there.cluster().formedAt().isPresent()) {
                return new ActionResult.AlreadyDone();
            }
            last = writer.mergeStatus(
                    key,
                    there.version(),
                    content -> ((Content.Cluster) content)
                            .withFormedAt(api.timeline().now()));
            if (!(last instanceof ActionResult.Rejected)) {
                return last;
            }
        }
        return last;
    }

    private SecretText password() {
        return SecretText.of("password-" + Long.toHexString(api.dice().next()));
    }
}
