package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads Pods, their troubles and their ends. */
final class PodReader {

    private PodReader() {}

    /** One Pod; what is unreadable about it stands in the sentence. */
    static Decoded<PodView> read(KubeObject pod) {
        try {
            return new Decoded.Usable<>(view(pod));
        } catch (IllegalArgumentException | DateTimeException e) {
            // The core's values check themselves; what they refuse came from this pod.
            return new Decoded.Unusable<>(String.valueOf(e.getMessage()));
        }
    }

    private static PodView view(KubeObject pod) {
        KubeObject metadata = pod.metadata();
        KubeObject status = pod.at("status");
        PodView.Phase phase = phase(status.text("phase").orElse(""));
        var annotations = metadata.texts("annotations");
        return new PodView(
                new NodeName(pod.objectName().name()),
                pod.uid(),
                shard(pod),
                phase,
                conditionHolds(status, "Ready"),
                pod.terminating(),
                status.text("podIP"),
                metadata.text("creationTimestamp").map(Instant::parse).orElse(Instant.EPOCH),
                Optional.of(Optional.ofNullable(annotations.get(Markers.TEMPLATE))
                        .flatMap(PodReader::fingerprint)
                        .orElseGet(() -> shown(pod.at("spec")))),
                container(pod.at("spec"), "containers").text("image").orElse(""),
                trouble(status, phase),
                exit(status, phase),
                metadata.texts("labels"),
                annotations);
    }

    /**
     * From its label or, should somebody have changed that, from the spread constraints in its spec, which nobody can
     * change. A member must not fall out of sight because of a label.
     */
    private static ShardId shard(KubeObject pod) {
        Optional<String> label =
                Optional.ofNullable(pod.metadata().texts("labels").get(Markers.SHARD));
        return label.flatMap(PodReader::index)
                .or(() -> pod.at("spec").objects("topologySpreadConstraints").stream()
                        .map(constraint -> constraint.at("labelSelector").texts("matchLabels"))
                        .flatMap(selector -> Optional.ofNullable(selector.get(Markers.SHARD)).stream())
                        .flatMap(text -> index(text).stream())
                        .findFirst())
                .orElseThrow(() -> new IllegalArgumentException(
                        "label " + Markers.SHARD + " is " + label.orElse("missing") + ", allowed is a shard's index"));
    }

    private static Optional<ShardId> index(String text) {
        return text.matches("\\d{1,5}") ? Optional.of(new ShardId(Integer.parseInt(text))) : Optional.empty();
    }

    private static Optional<Fingerprint> fingerprint(String text) {
        try {
            return Optional.of(new Fingerprint(text));
        } catch (IllegalArgumentException e) {
            // Somebody edited it: the pod is then known by what it shows.
            return Optional.empty();
        }
    }

    /** What a pod that carries no fingerprint was made from. */
    private static Fingerprint shown(KubeObject spec) {
        KubeObject container = container(spec, "containers");
        KubeObject limits = container.at("resources", "limits");
        return ServerConfig.shown(
                container.text("image").orElse(""),
                limits.text("cpu").orElse(""),
                limits.text("memory").orElse(""),
                new Placement(
                        PodTemplate.zones(spec),
                        ZoneSpread.BEST_EFFORT,
                        spec.texts("nodeSelector"),
                        spec.objects("tolerations").stream()
                                .map(PodReader::toleration)
                                .toList()));
    }

    private static Toleration toleration(KubeObject toleration) {
        return new Toleration(
                toleration.text("key"),
                toleration.text("operator"),
                toleration.text("value"),
                toleration.text("effect"),
                toleration.number("tolerationSeconds").map(OptionalLong::of).orElseGet(OptionalLong::empty));
    }

    private static PodView.Phase phase(String phase) {
        return switch (phase) {
            case "Running" -> PodView.Phase.RUNNING;
            case "Succeeded" -> PodView.Phase.SUCCEEDED;
            case "Failed" -> PodView.Phase.FAILED;
            case "Unknown" -> PodView.Phase.UNKNOWN;
            default -> PodView.Phase.PENDING;
        };
    }

    private static Optional<PodView.Trouble> trouble(KubeObject status, PodView.Phase phase) {
        if (phase == PodView.Phase.SUCCEEDED || phase == PodView.Phase.FAILED) {
            return Optional.empty();
        }
        Optional<PodView.Trouble> placement = condition(status, "PodScheduled")
                .filter(condition -> condition.text("status").equals(Optional.of("False")))
                .map(condition -> new PodView.Unschedulable(condition
                        .text("message")
                        .or(() -> condition.text("reason"))
                        .orElse("not scheduled")));
        return placement.or(() -> waiting(status));
    }

    /** What every pod goes through while it starts is no trouble. */
    private static Optional<PodView.Trouble> waiting(KubeObject status) {
        KubeObject waiting = container(status, "containerStatuses").at("state", "waiting");
        return waiting.text("reason")
                .filter(reason -> !reason.equals("ContainerCreating") && !reason.equals("PodInitializing"))
                .map(reason ->
                        new PodView.Waiting(reason, waiting.text("message").orElse("")));
    }

    private static Optional<PodView.Exit> exit(KubeObject status, PodView.Phase phase) {
        KubeObject terminated = container(status, "containerStatuses").at("state", "terminated");
        Optional<String> podReason = status.text("reason");
        Optional<String> podMessage = status.text("message");
        if (!terminated.isEmpty()) {
            return Optional.of(new PodView.Exit(
                    terminated.text("reason").or(() -> podReason).orElse("Error"),
                    terminated.number("exitCode").map(Long::intValue),
                    terminated.text("message").or(() -> podMessage).orElse("")));
        }
        if (phase == PodView.Phase.FAILED || phase == PodView.Phase.SUCCEEDED) {
            return Optional.of(new PodView.Exit(podReason.orElse("Error"), Optional.empty(), podMessage.orElse("")));
        }
        return Optional.empty();
    }

    private static boolean conditionHolds(KubeObject status, String type) {
        return condition(status, type)
                .flatMap(condition -> condition.text("status"))
                .equals(Optional.of("True"));
    }

    private static Optional<KubeObject> condition(KubeObject status, String type) {
        return status.objects("conditions").stream()
                .filter(condition -> condition.text("type").equals(Optional.of(type)))
                .findFirst();
    }

    /** The server's container among those that others, such as a mesh, may have put beside it. */
    private static KubeObject container(KubeObject parent, String list) {
        return parent.objects(list).stream()
                .filter(container -> container.text("name").equals(Optional.of(PodTemplate.CONTAINER)))
                .findFirst()
                .orElse(new KubeObject(Map.of()));
    }
}
