package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import com.gomomento.valkey.operator.sim.valkey.Reply;
import com.gomomento.valkey.operator.sim.valkey.Server;
import com.gomomento.valkey.operator.sim.valkey.ValkeyNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The model. */
final class ModelSide implements Side {

    /** To a node that was forgotten this is answered once the ban is over, which is a matter of time. */
    static final String UNKNOWN = "ERR Unknown node";

    private final Timeline timeline = new Timeline();
    private final ValkeyNetwork network;
    private final ServerVersion version;
    private final long nodeTimeoutMillis;
    private final List<Server> servers = new ArrayList<>();
    private final Map<NodeId, String> names = new HashMap<>();
    private final Map<String, String> namesByIp = new HashMap<>();

    ModelSide(long seed, ServerVersion version, long nodeTimeoutMillis) {
        this.network = new ValkeyNetwork(timeline, new Dice(seed));
        this.version = version;
        this.nodeTimeoutMillis = nodeTimeoutMillis;
    }

    List<Server> servers() {
        return servers;
    }

    void settle(Duration time) {
        timeline.pass(time);
    }

    @Override
    public String run(Command command) {
        return text(reply(command));
    }

    private String text(Reply reply) {
        if (reply.done() && reply.version() != 0) {
            return "value " + reply.version();
        }
        String text = reply.text();
        for (Server server : servers) {
            text = text.replace(server.ip() + ":6379", namesByIp.getOrDefault(server.ip(), "?"));
        }
        for (Map.Entry<NodeId, String> known : names.entrySet()) {
            text = text.replace(known.getKey().value(), known.getValue());
        }
        return text;
    }

    private Reply reply(Command command) {
        return switch (command) {
            case Command.Start start -> {
                String name = "n" + servers.size();
                Server server = network.start("10.0.0." + (servers.size() + 1), "", version, nodeTimeoutMillis);
                servers.add(server);
                names.put(server.id(), name);
                namesByIp.put(server.ip(), name);
                yield Reply.OK;
            }
            case Command.Kill kill -> {
                network.kill(at(kill.server()));
                yield Reply.OK;
            }
            case Command.Freeze freeze -> {
                network.freeze(at(freeze.server()));
                yield Reply.OK;
            }
            case Command.Thaw thaw -> {
                network.thaw(at(thaw.server()));
                yield Reply.OK;
            }
            case Command.Meet it -> at(it.server()).meet(at(it.other()).ip());
            case Command.AddSlots it -> at(it.server()).addSlots(it.slots());
            case Command.SetEpoch it -> at(it.server()).setConfigEpoch(it.epoch());
            case Command.BumpEpoch it -> {
                at(it.server()).bumpEpoch();
                yield Reply.OK;
            }
            case Command.Replicate it -> at(it.server()).replicate(id(it.primary()));
            case Command.Forget it -> {
                Reply reply = at(it.server()).forget(id(it.other()));
                yield reply.text().startsWith(UNKNOWN) ? Reply.OK : reply;
            }
            case Command.Failover it -> at(it.server()).failover(it.mode());
            case Command.MigrateSlots it -> at(it.server()).migrateSlots(it.slots(), id(it.target()));
            case Command.Importing it -> at(it.server()).setSlotImporting(it.slot(), id(it.source()));
            case Command.Migrating it -> at(it.server()).setSlotMigrating(it.slot(), id(it.target()));
            case Command.Stable it -> at(it.server()).setSlotStable(it.slot());
            case Command.Node it -> at(it.server()).setSlotNode(it.slot(), id(it.owner()));
            case Command.MoveKeys it -> {
                Reply moved =
                        at(it.server()).moveKeys(it.slot(), at(it.target()).ip(), 100);
                yield moved.done() ? new Reply(Reply.Kind.OK, moved.text(), 0) : moved;
            }
            case Command.Write it -> at(it.server()).write(it.slot(), it.key(), it.version());
            case Command.Read it -> at(it.server()).read(it.slot(), it.key());
            case Command.Reset it -> {
                NodeId before = id(it.server());
                Reply done = at(it.server()).reset(it.hard());
                names.put(before, "n" + it.server() + " of old (" + names.size() + ")");
                names.put(id(it.server()), "n" + it.server());
                yield done;
            }
        };
    }

    private Server at(int index) {
        return servers.get(index);
    }

    private NodeId id(int index) {
        return at(index).id();
    }

    @Override
    public SortedMap<String, String> look() {
        Facts facts = new Facts(
                names,
                namesByIp,
                name -> servers.stream()
                        .anyMatch(server -> !server.answers() && name.equals(namesByIp.get(server.ip()))));
        for (Server server : servers) {
            if (server.answers()) {
                facts.add(namesByIp.getOrDefault(server.ip(), "?"), server.report(), keysOf(server));
            }
        }
        return facts.all();
    }

    /** All keys, with their values where the server would give them away to a client that reads from replicas. */
    private static List<String> keysOf(Server server) {
        Reachable report = server.report();
        NodeId owner = report.self().primary().orElse(report.id());
        SlotSet readable = report.clusterOk()
                ? report.view().of(owner).map(MemberBelief::slots).orElse(SlotSet.EMPTY)
                : SlotSet.EMPTY;
        List<String> labels = new ArrayList<>();
        server.keys().forEach((key, value) -> {
            int slot = (int) (key >>> 32);
            labels.add(slot + "/" + (key & 0xffff) + "=" + (readable.contains(slot) ? value : "?"));
        });
        labels.sort(null);
        return labels;
    }
}
