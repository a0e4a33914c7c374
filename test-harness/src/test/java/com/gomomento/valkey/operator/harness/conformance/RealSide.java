package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.harness.valkey.Release;
import com.gomomento.valkey.operator.harness.valkey.RespConnection;
import com.gomomento.valkey.operator.harness.valkey.ValkeyServer;
import com.gomomento.valkey.operator.harness.valkey.ValkeyServers;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** Real servers, one process each. */
final class RealSide implements Side, AutoCloseable {

    private final ValkeyServers processes = new ValkeyServers();
    private final GlideValkeyPort port = new GlideValkeyPort();
    private final Release release;
    private final Keys keys;
    private final List<ValkeyServer> servers = new ArrayList<>();
    private final Set<ValkeyServer> silent = new HashSet<>();
    private final List<NodeId> ids = new ArrayList<>();
    private final Map<NodeId, String> names = new HashMap<>();
    private final Map<String, String> namesByIp = new HashMap<>();

    RealSide(Release release, Keys keys, long nodeTimeoutMillis) {
        this.release = release;
        this.keys = keys;
        processes.with("cluster-node-timeout " + nodeTimeoutMillis);
    }

    @Override
    public String run(Command command) {
        return switch (command) {
            case Command.Start start -> {
                ValkeyServer server = processes.start(release);
                servers.add(server);
                namesByIp.put(server.ip(), "n" + (servers.size() - 1));
                ids.add(introduce(servers.size() - 1));
                yield "OK";
            }
            case Command.Kill kill -> {
                at(kill.server()).kill();
                silent.add(at(kill.server()));
                yield "OK";
            }
            case Command.Freeze freeze -> {
                at(freeze.server()).freeze();
                silent.add(at(freeze.server()));
                yield "OK";
            }
            case Command.Thaw thaw -> {
                at(thaw.server()).thaw();
                silent.remove(at(thaw.server()));
                yield "OK";
            }
            case Command.Meet it -> cluster(it.server(), "MEET", at(it.other()).ip(), "6379");
            case Command.AddSlots it -> cluster(it.server(), ranges(it.slots(), "ADDSLOTSRANGE"));
            case Command.SetEpoch it -> cluster(it.server(), "SET-CONFIG-EPOCH", Long.toString(it.epoch()));
            case Command.BumpEpoch it -> {
                // Which number comes out hangs on which of two new nodes has the smaller id.
                String reply = cluster(it.server(), "BUMPEPOCH");
                yield reply.matches("(BUMPED|STILL) \\d+") ? "OK" : reply;
            }
            case Command.Replicate it -> cluster(it.server(), "REPLICATE", id(it.primary()));
            case Command.Forget it -> {
                String reply = cluster(it.server(), "FORGET", id(it.other()));
                yield reply.startsWith(ModelSide.UNKNOWN) ? "OK" : reply;
            }
            case Command.Failover it ->
                switch (it.mode()) {
                    case GRACEFUL -> cluster(it.server(), "FAILOVER");
                    case FORCE -> cluster(it.server(), "FAILOVER", "FORCE");
                    case TAKEOVER -> cluster(it.server(), "FAILOVER", "TAKEOVER");
                };
            case Command.MigrateSlots it -> {
                List<String> words = ranges(it.slots(), "MIGRATESLOTS", "SLOTSRANGE");
                words.addAll(List.of("NODE", id(it.target())));
                yield cluster(it.server(), words);
            }
            case Command.Importing it -> setSlot(it.server(), it.slot(), "IMPORTING", id(it.source()));
            case Command.Migrating it -> setSlot(it.server(), it.slot(), "MIGRATING", id(it.target()));
            case Command.Stable it -> setSlot(it.server(), it.slot(), "STABLE");
            case Command.Node it -> setSlot(it.server(), it.slot(), "NODE", id(it.owner()));
            case Command.MoveKeys it -> moveKeys(it);
            case Command.Write it ->
                tell(it.server(), "SET", keys.name(it.slot(), it.key()), Long.toString(it.version()));
            case Command.Read it -> {
                String value = tell(it.server(), "GET", keys.name(it.slot(), it.key()));
                yield value.matches("\\d+") ? "value " + value : value;
            }
            case Command.Reset it -> {
                String done = cluster(it.server(), "RESET", it.hard() ? "HARD" : "SOFT");
                names.put(ids.get(it.server()), "n" + it.server() + " of old (" + names.size() + ")");
                ids.set(it.server(), introduce(it.server()));
                yield done;
            }
        };
    }

    private NodeId introduce(int index) {
        NodeId id = new NodeId(at(index).call("CLUSTER", "MYID"));
        names.put(id, "n" + index);
        return id;
    }

    private String moveKeys(Command.MoveKeys it) {
        String slot = Integer.toString(it.slot());
        String found = at(it.server()).call("CLUSTER", "GETKEYSINSLOT", slot, "100");
        if (found.isEmpty()) {
            return "NOKEY";
        }
        List<String> words = new ArrayList<>(List.of(
                "MIGRATE",
                at(it.target()).ip(),
                "6379",
                "",
                "0",
                "1000",
                "AUTH2",
                ValkeyServers.TESTER,
                ValkeyServers.TESTER_PASSWORD,
                "KEYS"));
        words.addAll(Arrays.asList(found.split("\n", -1)));
        return tell(it.server(), words.toArray(String[]::new));
    }

    private String setSlot(int server, int slot, String... step) {
        List<String> words = new ArrayList<>(List.of("SETSLOT", Integer.toString(slot)));
        words.addAll(List.of(step));
        return cluster(server, words);
    }

    private static List<String> ranges(SlotSet slots, String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        for (SlotRange range : slots.ranges()) {
            words.add(Integer.toString(range.first()));
            words.add(Integer.toString(range.last()));
        }
        return words;
    }

    private String cluster(int server, String... words) {
        return cluster(server, List.of(words));
    }

    private String cluster(int server, List<String> words) {
        List<String> all = new ArrayList<>(List.of("CLUSTER"));
        all.addAll(words);
        return tell(server, all.toArray(String[]::new));
    }

    private String tell(int server, String... words) {
        String text = at(server).call(words);
        String reply = text.startsWith("-") ? text.substring(1) : text;
        for (ValkeyServer one : servers) {
            reply = reply.replace(one.ip() + ":6379", namesByIp.getOrDefault(one.ip(), "?"));
        }
        for (Map.Entry<NodeId, String> known : names.entrySet()) {
            reply = reply.replace(known.getKey().value(), known.getValue());
        }
        return reply;
    }

    private ValkeyServer at(int index) {
        return servers.get(index);
    }

    private String id(int index) {
        return ids.get(index).value();
    }

    @Override
    public SortedMap<String, String> look() {
        Facts facts = new Facts(
                names, namesByIp, name -> silent.stream().anyMatch(server -> name.equals(namesByIp.get(server.ip()))));
        List<ValkeyServer> asked =
                servers.stream().filter(server -> !silent.contains(server)).toList();
        List<Target> targets = asked.stream().map(ValkeyServer::target).toList();
        SortedMap<NodeName, NodeReport> reports = port.observe(targets);
        for (ValkeyServer server : asked) {
            if (reports.get(server.name()) instanceof Reachable report) {
                facts.add(namesByIp.getOrDefault(server.ip(), "?"), report, keysOf(server));
            }
        }
        return facts.all();
    }

    /** All keys, with their values where the server gives them away. */
    private static List<String> keysOf(ValkeyServer server) {
        List<String> labels = new ArrayList<>();
        try (RespConnection connection = server.connect(ValkeyServers.TESTER, ValkeyServers.TESTER_PASSWORD)) {
            connection.call("READONLY");
            String found = connection.call("KEYS", "*");
            for (String name : found.isEmpty() ? new String[0] : found.split("\n", -1)) {
                String value = connection.call("GET", name);
                labels.add(Keys.label(name) + "=" + (value.startsWith("-") ? "?" : value));
            }
        }
        labels.sort(null);
        return labels;
    }

    @Override
    public void close() {
        port.close();
        processes.close();
    }
}
