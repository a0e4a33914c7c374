package example.embedding;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.plan.Guards;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Valkey-servers that hear all news at once: who knows a node knows what is true of it. Nobody holds elections. */
final class MemoryValkey implements ValkeyPort {

    /** A server, alive or dead. */
    static final class Server {
        final NodeId id;
        final String ip;
        final SortedSet<NodeId> knows = new TreeSet<>();
        Optional<NodeId> primary = Optional.empty();
        SlotSet slots = SlotSet.EMPTY;
        long epoch;
        boolean alive = true;

        Server(int number, String ip) {
            this.id = new NodeId(String.format("%040x", number));
            this.ip = ip;
            knows.add(id);
        }

        Role role() {
            return primary.isPresent() ? Role.REPLICA : Role.PRIMARY;
        }
    }

    final SortedMap<NodeId, Server> servers = new TreeMap<>();

    void start(String ip) {
        Server server = new Server(servers.size() + 1, ip);
        servers.put(server.id, server);
    }

    void stop(String ip) {
        at(ip).ifPresent(server -> server.alive = false);
    }

    Optional<Server> at(String ip) {
        return servers.values().stream()
                .filter(server -> server.alive && server.ip.equals(ip))
                .findFirst();
    }

    @Override
    public SortedMap<NodeName, NodeReport> observe(List<Target> targets) {
        SortedMap<NodeName, NodeReport> reports = new TreeMap<>();
        for (Target target : targets) {
            NodeReport silence = new NodeReport.Unreachable(NodeReport.Unreachable.Reason.REFUSED, "nobody listens");
            reports.put(
                    target.name(), at(target.ip()).<NodeReport>map(this::report).orElse(silence));
        }
        return reports;
    }

    @Override
    public List<ActionResult> execute(SortedMap<NodeName, Target> targets, List<ValkeyAction> actions) {
        return actions.stream().map(action -> execute(targets, action)).toList();
    }

    private ActionResult execute(SortedMap<NodeName, Target> targets, ValkeyAction action) {
        Optional<Server> server =
                Optional.ofNullable(targets.get(action.node())).flatMap(target -> at(target.ip()));
        if (server.isEmpty()) {
            return new ActionResult.Unknown("no answer from " + action.node());
        }
        return switch (Guards.check(action, report(server.get()))) {
            case Guards.Go _ -> {
                run(server.get(), action);
                yield new ActionResult.Applied();
            }
            case Guards.Done _ -> new ActionResult.AlreadyDone();
            case Guards.No(String reason) -> new ActionResult.Rejected(reason);
        };
    }

    private void run(Server server, ValkeyAction action) {
        switch (action) {
            case ValkeyAction.Meet meet -> meet.peers().forEach(peer -> introduce(server, get(peer.nodeId())));
            case ValkeyAction.ClaimSlots claim -> {
                server.slots = server.slots.plus(claim.slots());
                server.epoch = claim.epoch().value();
            }
            case ValkeyAction.Replicate replicate -> server.primary = Optional.of(replicate.primary());
            case ValkeyAction.Forget forget -> server.knows.remove(forget.forgotten());
            case ValkeyAction.Failover failover -> promote(server, get(failover.primary()));
            case ValkeyAction.MoveSlots move -> {
                Server target = get(move.target().nodeId());
                server.slots = server.slots.minus(move.slots());
                target.slots = target.slots.plus(move.slots());
                target.epoch = freshEpoch();
            }
            case ValkeyAction.SetDirectives _ -> {
                // These servers run alike with any.
            }
            case ValkeyAction.CloseSlots _ -> throw new IllegalStateException("slots move at once and are never open");
        }
    }

    private void introduce(Server one, Server other) {
        SortedSet<NodeId> all = new TreeSet<>(one.knows);
        all.addAll(other.knows);
        all.forEach(id -> get(id).knows.addAll(all));
    }

    private void promote(Server replica, Server old) {
        replica.primary = Optional.empty();
        replica.slots = old.slots;
        replica.epoch = freshEpoch();
        old.slots = SlotSet.EMPTY;
        old.primary = Optional.of(replica.id);
        servers.values().stream()
                .filter(server -> server.primary.equals(Optional.of(old.id)))
                .forEach(server -> server.primary = Optional.of(replica.id));
    }

    private long freshEpoch() {
        return 1
                + servers.values().stream()
                        .mapToLong(server -> server.epoch)
                        .max()
                        .orElse(0);
    }

    private Server get(NodeId id) {
        return Optional.ofNullable(servers.get(id)).orElseThrow();
    }

    private NodeReport.Reachable report(Server server) {
        SortedMap<NodeId, MemberBelief> view = new TreeMap<>();
        server.knows.forEach(id -> view.put(id, belief(get(id))));
        return new NodeReport.Reachable(
                server.id,
                "9.1.2",
                server.role(),
                server.primary.map(id -> new NodeReport.ReplicaLink(get(id).alive, false, get(id).ip)),
                new ReplicationOffset(1),
                true,
                freshEpoch() - 1,
                new Beliefs(view),
                List.of(),
                new NodeReport.MemoryUse(0, 0),
                new TreeMap<>());
    }

    private static MemberBelief belief(Server server) {
        return new MemberBelief(
                server.id,
                Optional.of(server.ip),
                Optional.empty(),
                server.role(),
                server.primary,
                server.alive ? MemberBelief.Health.OK : MemberBelief.Health.FAILED,
                false,
                server.alive,
                new ConfigEpoch(server.epoch),
                server.slots,
                List.of());
    }
}
