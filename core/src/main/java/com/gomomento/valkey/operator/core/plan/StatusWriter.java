package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.ClusterStatus.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in {@code status} what was observed. A function of the situation and the reasons; it decides nothing. */
final class StatusWriter {

    private static final int MAX_REASONS = 3;
    private static final int MAX_MESSAGE = 1024;
    private static final String DATA_LOST = "DataLost";

    private StatusWriter() {}

    /** The status of a cluster whose wish is known. */
    static ClusterStatus of(Situation situation, Draft draft) {
        ClusterState state = state(situation, draft);
        List<Reason> reasons = draft.reasons();
        String message = state == ClusterState.FAILED ? situation.creationFailure.orElseThrow() : message(reasons);
        List<ClusterStatus.Node> nodes = situation.members.values().stream()
                .map(member -> node(member, situation))
                .toList();
        int ready = (int) nodes.stream().filter(ClusterStatus.Node::ready).count();
        int serving = (int) situation.shards.values().stream()
                .filter(shard -> shard.owner().isPresent())
                .count();
        return new ClusterStatus(
                state,
                message,
                situation.declaration.generation(),
                conditions(state, message, loss(situation, draft)),
                serving,
                nodes,
                ready,
                situation.spec.members(),
                situation.served.size(),
                Optional.of(situation.spec.server().version().toString()),
                situation.spec.endpointHost() + ":" + ServerConfig.CLIENT_PORT);
    }

    /** The status of a cluster whose wish never resolved: what was published stays, but for state and message. */
    static ClusterStatus unresolved(ClusterDeclaration declaration, Optional<ClusterStatus> published, String problem) {
        String endpoint = declaration.key().name() + "." + declaration.key().namespace() + ".svc.cluster.local:"
                + ServerConfig.CLIENT_PORT;
        return new ClusterStatus(
                ClusterState.INVALID,
                problem,
                declaration.generation(),
                conditions(ClusterState.INVALID, problem, carried(published, declaration.generation())),
                published.map(ClusterStatus::shards).orElse(0),
                published.map(ClusterStatus::nodes).orElse(List.of()),
                published.map(ClusterStatus::readyNodes).orElse(0),
                declaration.shards() * (1 + declaration.replicasPerShard()),
                published.map(ClusterStatus::slotsAssigned).orElse(0),
                published.flatMap(ClusterStatus::version),
                published.map(ClusterStatus::endpoint).orElse(endpoint));
    }

    private static ClusterState state(Situation situation, Draft draft) {
        if (draft.reasons().stream().anyMatch(reason -> reason.kind() == Reason.Kind.INPUT)) {
            return ClusterState.INVALID;
        }
        if (situation.creationFailure.isPresent()) {
            return ClusterState.FAILED;
        }
        if (draft.reasons().isEmpty() && situation.formed()) {
            return ClusterState.ACTIVE;
        }
        return situation.served() ? ClusterState.UPDATING : ClusterState.CREATING;
    }

    private static String message(List<Reason> reasons) {
        String all = reasons.stream().limit(MAX_REASONS).map(Reason::text).collect(Collectors.joining("; "));
        String more = reasons.size() > MAX_REASONS ? "; and " + (reasons.size() - MAX_REASONS) + " more" : "";
        return all.length() + more.length() <= MAX_MESSAGE
                ? all + more
                : all.substring(0, MAX_MESSAGE - more.length() - 3) + "..." + more;
    }

    private static ClusterStatus.Node node(Member member, Situation situation) {
        Lifecycle lifecycle = RecordRule.lifecycle(member, situation);
        boolean ready = lifecycle == Lifecycle.ACTIVE
                && !member.silent()
                && member.pod().filter(PodView::ready).isPresent();
        return new ClusterStatus.Node(member.name(), member.shard(), member.role(), lifecycle, ready);
    }

    private static List<Condition> conditions(ClusterState state, String message, Optional<String> loss) {
        String reason = state.word();
        boolean progressing = state == ClusterState.CREATING || state == ClusterState.UPDATING;
        List<Condition> conditions = new ArrayList<>(List.of(
                new Condition("Ready", state == ClusterState.ACTIVE, reason, message),
                new Condition("Progressing", progressing, reason, progressing ? message : "")));
        loss.ifPresent(sentence -> conditions.add(new Condition(DATA_LOST, true, "NoCopyLeft", sentence)));
        return conditions;
    }

    /** What was lost now or, until the user writes a new generation, before: whoever comes late must still read it. */
    private static Optional<String> loss(Situation situation, Draft draft) {
        Optional<String> before = carried(situation.published, situation.declaration.generation());
        String now = draft.losses().stream()
                .filter(sentence ->
                        before.filter(told -> told.contains(sentence)).isEmpty())
                .collect(Collectors.joining("; "));
        if (now.isEmpty()) {
            return before;
        }
        String all = before.map(told -> told + "; " + now).orElse(now);
        return Optional.of(all.length() <= MAX_MESSAGE ? all : now);
    }

    private static Optional<String> carried(Optional<ClusterStatus> published, long generation) {
        return published
                .filter(status -> status.observedGeneration() == generation)
                .flatMap(status -> status.conditions().stream()
                        .filter(condition -> condition.type().equals(DATA_LOST))
                        .findFirst())
                .map(Condition::message);
    }
}
