package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.plan.Markers;
import com.gomomento.valkey.operator.core.plan.Plan;
import com.gomomento.valkey.operator.core.plan.Planning;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import com.gomomento.valkey.operator.sim.check.Invariants;
import com.gomomento.valkey.operator.sim.check.Roster;
import com.gomomento.valkey.operator.sim.check.Truth;
import com.gomomento.valkey.operator.sim.kubernetes.ApiServer;
import com.gomomento.valkey.operator.sim.kubernetes.Containers;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Machines;
import com.gomomento.valkey.operator.sim.kubernetes.ObjectKey;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import com.gomomento.valkey.operator.sim.valkey.Server;
import com.gomomento.valkey.operator.sim.valkey.ValkeyNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All parts of one world, wired; {@link Course} lets it run. */
final class World {

    private static final long TICK_MILLIS = 250;

    private final Scenario scenario;
    private final Program program;
    private final Timeline timeline = new Timeline();
    private final Trace trace;
    private final Dice dice;
    private final ApiServer api;
    private final ValkeyNetwork network;
    private final Machines machines;
    private final Roster roster = new Roster();
    private final Truth truth;
    private final Invariants invariants;
    private final List<OperatorHost> operators = new ArrayList<>();
    private final List<Clients> clients = new ArrayList<>();
    private final Map<String, Long> counters = new TreeMap<>();
    private final Probes probes;
    private long effectiveWrites;

    World(Scenario scenario, boolean keepTrace) {
        this(scenario, keepTrace, Program.PRODUCTION);
    }

    World(Scenario scenario, boolean keepTrace, Program program) {
        this.scenario = scenario;
        this.program = new Program(counting(program.planning()), program.guard());
        this.trace = new Trace(timeline, keepTrace);
        this.dice = new Dice(scenario.seed() * 31 + 7);
        this.api = new ApiServer(timeline, dice.split());
        this.network = new ValkeyNetwork(timeline, dice.split());
        this.machines = new Machines(api, timeline, dice.split(), containers(), scenario.machines());
        this.truth = new Truth(timeline, api, machines, network, roster);
        this.invariants = new Invariants(
                truth, scenario.operators() == 1 && scenario.probe().isEmpty());
        api.listen(this::tellOfPods);
        this.probes = new Probes(this);
        for (int i = 1; i <= scenario.operators(); i++) {
            addOperator(scenario.operators() == 1 ? "operator" : "operator-" + i);
        }
        for (Scenario.ClusterPlan plan : scenario.clusters()) {
            clients.add(new Clients(this, plan.key(), dice.split()));
        }
    }

    private Planning counting(Planning planning) {
        return (declaration, resolution, observation, published, ledger, now) -> {
            Plan plan = planning.plan(declaration, resolution, observation, published, ledger, now);
            Sometimes.count(plan, this);
            return plan;
        };
    }

    /** Gives an operator a place to run; it is not started. */
    OperatorHost addOperator(String name) {
        OperatorHost operator = new OperatorHost(timeline, dice.split(), api, network, program, hooks(name));
        operators.add(operator);
        return operator;
    }

    Scenario scenario() {
        return scenario;
    }

    Timeline timeline() {
        return timeline;
    }

    Trace trace() {
        return trace;
    }

    ApiServer api() {
        return api;
    }

    ValkeyNetwork network() {
        return network;
    }

    Machines machines() {
        return machines;
    }

    Roster roster() {
        return roster;
    }

    Truth truth() {
        return truth;
    }

    Invariants invariants() {
        return invariants;
    }

    List<OperatorHost> operators() {
        return operators;
    }

    List<Clients> clients() {
        return clients;
    }

    /** Writes of operators that had an effect, so far. */
    long effectiveWrites() {
        return effectiveWrites;
    }

    /** Counts that something worth knowing was reached. */
    void count(String what) {
        counters.merge(what, 1L, Long::sum);
    }

    Map<String, Long> counters() {
        return counters;
    }

    /** Puts everything in place and starts operators, clients and checks. */
    void begin() {
        for (String version : Scenarios.VERSIONS) {
            api.create(
                    ObjectKey.catalog(Kind.IMAGE, "valkey-" + version),
                    new Content.Image(new Catalog.Image("docker.io/valkey/valkey:" + version, version)));
            api.create(ObjectKey.catalog(Kind.CONFIG, config(version)), configOf(version, ServerWish.FIRST));
        }
        scenario.clusters().forEach(this::ask);
        operators.forEach(OperatorHost::start);
        clients.forEach(Clients::start);
        timeline.after(TICK_MILLIS, this::tick);
    }

    /** Name of the ValkeyConfig for servers of one version. */
    static String config(String version) {
        return "config-" + version;
    }

    /** A ValkeyConfig. */
    static Content.Config configOf(String version, ServerWish wish) {
        return new Content.Config(new Catalog.Config(
                Optional.empty(),
                Optional.of("valkey-" + version),
                Optional.of("500m"),
                Optional.of("256Mi"),
                wish.directives()));
    }

    /** Makes the ValkeyCluster of a plan. */
    void ask(Scenario.ClusterPlan plan) {
        trace.tell(
                "user",
                "asks for ValkeyCluster " + plan.key() + ": " + plan.shards() + " shards, " + plan.replicas()
                        + " replicas each, Valkey " + plan.version());
        api.create(
                ObjectKey.cluster(plan.key()),
                new Content.Cluster(
                        new Content.Wish(
                                config(plan.version()), plan.shards(), plan.replicas(), new TreeMap<>(), false),
                        1,
                        Optional.empty(),
                        Optional.empty()));
    }

    private void tick() {
        invariants.moment();
        timeline.after(TICK_MILLIS, this::tick);
    }

    private Containers containers() {
        return new Containers() {
            @Override
            public Optional<PodView.Exit> start(String ip, Stored pod, String serverConfig) {
                return startServer(ip, pod, serverConfig);
            }

            @Override
            public void stop(String ip) {
                network.at(ip).ifPresent(server -> {
                    roster.find(server.id()).ifPresent(invariants::ending);
                    network.kill(server);
                    trace.tell("kubelet", "process at " + ip + " has ended");
                });
            }
        };
    }

    private Optional<PodView.Exit> startServer(String ip, Stored pod, String serverConfig) {
        SortedMap<String, String> directives = directives(serverConfig);
        directives.putAll(directives(pod.pod().annotations().getOrDefault(Markers.DIRECTIVES, "")));
        if (directives.containsKey(ServerWish.POISON)) {
            return Optional.of(new PodView.Exit(
                    "Error",
                    Optional.of(1),
                    "*** FATAL CONFIG FILE ERROR (Valkey) ***\nBad directive or wrong number of arguments"));
        }
        Server server = network.start(
                ip,
                pod.pod().hostname(),
                ServerVersion.parse(pod.pod().version()),
                Long.parseLong(directives.getOrDefault("cluster-node-timeout", "15000")));
        server.configure(directives);
        api.list(Kind.SECRET).stream()
                .filter(secret -> secret.owner().equals(pod.owner()))
                .flatMap(secret -> secret.content() instanceof Content.Credentials(Credentials passwords)
                        ? Stream.of(passwords.operator())
                        : Stream.empty())
                .forEach(server::requirePassword);
        roster.started(new Roster.Instance(
                pod.key(), pod.uid(), pod.owner().orElse(""), pod.pod().shard(), server));
        trace.tell(
                "kubelet",
                "starts " + pod.key().name() + " of shard " + pod.pod().shard().index() + " at " + ip + ", node "
                        + server.id().value().substring(0, 8));
        return Optional.empty();
    }

    private static SortedMap<String, String> directives(String file) {
        SortedMap<String, String> directives = new TreeMap<>();
        file.lines()
                .forEach(line ->
                        directives.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
        return directives;
    }

    private OperatorHost.Hooks hooks(String name) {
        WriteListener writes = (verb, before, after) -> {
            effectiveWrites++;
            trace.tell(name, verb + " " + before.key() + (after.key().kind() == Kind.CLUSTER ? statusOf(after) : ""));
            count("write " + verb + " " + before.key().kind());
            invariants.wrote(verb, before, after);
            probes.wrote(effectiveWrites);
        };
        CommandListener commands = new CommandListener() {
            @Override
            public void before(ValkeyAction action, Server server) {
                invariants.beforeCommand(action, server);
            }

            @Override
            public void after(ValkeyAction action, Server server) {
                effectiveWrites++;
                trace.tell(name, "command " + action);
                count("command " + action.getClass().getSimpleName());
                invariants.afterCommand(action, server);
                probes.wrote(effectiveWrites);
            }
        };
        Journal journal = entry -> {
            trace.tell(name, "says " + entry.level() + " " + entry.message() + " " + entry.fields());
            count("said " + entry.message());
            invariants.told(entry);
        };
        return new OperatorHost.Hooks(writes, commands, journal);
    }

    private static String statusOf(Stored cluster) {
        return cluster.cluster()
                .status()
                .map(status -> " status " + status.state() + " " + status.message())
                .orElse("");
    }

    private void tellOfPods(ApiServer.Change change) {
        if (change.object().key().kind() == Kind.POD) {
            Content.PodState state = change.object().pod().state();
            String how = change.deleted()
                    ? "is gone"
                    : "is " + state.phase() + (state.ready() ? " ready" : "")
                            + (change.object().terminating() ? " terminating" : "")
                            + state.trouble().map(trouble -> " " + trouble).orElse("");
            trace.tell("api", "pod " + change.object().key().name() + " " + how);
        }
    }
}
