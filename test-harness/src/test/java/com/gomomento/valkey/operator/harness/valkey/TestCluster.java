package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.ReplicaLink;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Peer;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Members of one cluster and the port under test, with which they are told to form it. */
final class TestCluster {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final GlideValkeyPort port;
    private final List<ValkeyServer> servers;
    private final SortedMap<NodeName, Target> targets = new TreeMap<>();

    TestCluster(GlideValkeyPort port, List<ValkeyServer> servers) {
        this.port = port;
        this.servers = servers;
        servers.forEach(server -> targets.put(server.name(), server.target()));
    }

    SortedMap<NodeName, Target> targets() {
        return targets;
    }

    SortedMap<NodeName, NodeReport> observe() {
        return port.observe(List.copyOf(targets.values()));
    }

    Reachable report(ValkeyServer server) {
        NodeReport report = look(server);
        if (report instanceof Reachable reachable) {
            return reachable;
        }
        throw new AssertionError(server + " gave " + report);
    }

    /** What a look at all of them gives of one. */
    NodeReport look(ValkeyServer server) {
        return of(observe(), server.name());
    }

    static NodeReport of(SortedMap<NodeName, NodeReport> reports, NodeName name) {
        return reports.getOrDefault(name, new NodeReport.NotAsked());
    }

    NodeId id(ValkeyServer server) {
        return report(server).id();
    }

    ActionResult run(ValkeyAction action) {
        return port.execute(targets, List.of(action)).getFirst();
    }

    /** The first {@code shards} servers claim a share each. */
    List<ValkeyAction> claims(int shards) {
        List<ValkeyAction> claims = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            ValkeyServer server = servers.get(shard);
            claims.add(new ValkeyAction.ClaimSlots(
                    server.name(), id(server), SlotSet.share(shard, shards), new ConfigEpoch(shard + 1)));
        }
        return claims;
    }

    /** The first server is to meet all others. */
    ValkeyAction.Meet meeting() {
        List<Peer> peers = servers.stream()
                .skip(1)
                .map(server -> new Peer(server.name(), id(server), server.ip()))
                .toList();
        return new ValkeyAction.Meet(servers.getFirst().name(), id(servers.getFirst()), peers);
    }

    /** Each server after the first {@code shards} follows one of them, turn by turn. */
    List<ValkeyAction> followings(int shards) {
        List<ValkeyAction> followings = new ArrayList<>();
        for (int i = shards; i < servers.size(); i++) {
            ValkeyServer server = servers.get(i);
            followings.add(
                    new ValkeyAction.Replicate(server.name(), id(server), id(servers.get((i - shards) % shards))));
        }
        return followings;
    }

    /** Forms the cluster through the port alone and waits until every member agrees. */
    void form(int shards) {
        applied(claims(shards));
        if (servers.size() > 1) {
            applied(List.of(meeting()));
            awaitIntroduced();
        }
        if (servers.size() > shards) {
            applied(followings(shards));
        }
        awaitFormed(shards);
    }

    ValkeyAction.MoveSlots moving(
            ValkeyServer from, ValkeyServer to, SlotSet slots, ValkeyAction.MoveSlots.Method method) {
        return new ValkeyAction.MoveSlots(from.name(), id(from), new Peer(to.name(), id(to), to.ip()), slots, method);
    }

    /** Moves slots, asking again as the operator would, until nothing is left to do. */
    void move(ValkeyServer from, ValkeyServer to, SlotSet slots, ValkeyAction.MoveSlots.Method method) {
        ValkeyAction.MoveSlots move = moving(from, to, slots, method);
        Eventually.holds("slots moved to " + to, LIMIT, () -> run(move) instanceof ActionResult.AlreadyDone);
    }

    /** Waits until everybody knows everybody. */
    void awaitIntroduced() {
        awaitAll(
                "everybody knows everybody",
                node -> node.view().size() == servers.size()
                        && node.view().all().stream().noneMatch(MemberBelief::handshake));
    }

    void applied(List<ValkeyAction> actions) {
        assertThat(port.execute(targets, actions)).allMatch(ActionResult.Applied.class::isInstance, "applied");
    }

    /** Waits until every view shows the whole cluster, sound and served, with {@code shards} owners. */
    void awaitFormed(int shards) {
        awaitAll("a formed cluster", node -> {
            List<MemberBelief> members = List.copyOf(node.view().all());
            SlotSet served = members.stream().map(MemberBelief::slots).reduce(SlotSet.EMPTY, SlotSet::plus);
            return node.clusterOk()
                    && members.size() == servers.size()
                    && node.self().openSlots().isEmpty()
                    && served.equals(SlotSet.ALL)
                    && members.stream().allMatch(it -> it.health() == Health.OK && it.linkUp())
                    && members.stream().filter(it -> it.role() == Role.REPLICA).count() == servers.size() - shards
                    && members.stream()
                                    .filter(it -> !it.slots().isEmpty())
                                    .map(MemberBelief::epoch)
                                    .distinct()
                                    .count()
                            == shards
                    && node.replication().map(ReplicaLink::up).orElse(true);
        });
    }

    void awaitAll(String what, Predicate<Reachable> condition) {
        Eventually.holds(
                what,
                LIMIT,
                () -> observe().values().stream()
                        .allMatch(report -> report instanceof Reachable node && condition.test(node)));
    }
}
