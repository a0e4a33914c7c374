package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.LoadSample;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The core's view of valkey-servers, over GLIDE. Safe for use by many threads. No call takes longer than the settings
 * allow, whatever a server does, and one server's silence delays nobody else's answer.
 */
public final class GlideValkeyPort implements ValkeyPort, AutoCloseable {

    private final Settings settings;
    private final InstantSource clock;
    private final Connections connections;
    private final FanOut fanOut;
    private final ActionExecutor executor;
    private final Thread housekeeper;

    /** A port with {@link Settings#DEFAULT} and the system's clock. */
    public GlideValkeyPort() {
        this(Settings.DEFAULT, InstantSource.system());
    }

    /**
     * A port; it opens nothing before it is used.
     *
     * @param clock dates samples
     */
    public GlideValkeyPort(Settings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.connections = new Connections(settings, System::nanoTime);
        this.fanOut = new FanOut();
        this.executor = new ActionExecutor(connections, fanOut, settings);
        this.housekeeper = Thread.ofVirtual().name("valkey-housekeeper").start(this::keepHouse);
    }

    /**
     * Limits of a port.
     *
     * @param knock for trying with a plain socket whether a server answers
     * @param observe for one round trip that only asks
     * @param command for one round trip that tells a server something
     * @param idle after which an unused connection is closed
     * @param connections open at most
     * @param openingsAtOnce connections that may be in the making
     */
    public record Settings(
            Duration knock, Duration observe, Duration command, Duration idle, int connections, int openingsAtOnce) {

        /** What the operator uses: an observation ends within about 1.5 s, each command within 2 s. */
        public static final Settings DEFAULT = new Settings(
                Duration.ofMillis(600),
                Duration.ofMillis(1000),
                Duration.ofSeconds(2),
                Duration.ofMinutes(2),
                2048,
                64);

        /** Refuses limits that are not positive. */
        public Settings {
            for (Duration duration : List.of(knock, observe, command, idle)) {
                Check.that(duration.isPositive(), "a limit is " + duration + ", allowed is more than nothing");
            }
            Check.atLeast("connections", 1, connections);
            Check.atLeast("openingsAtOnce", 1, openingsAtOnce);
        }

        /** More than an observation needs that knocks and asks twice. */
        Duration longestObservation() {
            return knock.plus(observe).multipliedBy(2);
        }

        /** More than the longest action needs: a look at a node and at its peers, and then two commands or moving keys. */
        Duration longestAction() {
            return longestObservation().plus(command).multipliedBy(2);
        }
    }

    @Override
    public SortedMap<NodeName, NodeReport> observe(List<Target> targets) {
        NodesTable.Known known = new NodesTable.Known();
        List<NodeReport> reports = fanOut.all(
                targets,
                settings.longestObservation(),
                target -> observe(target, known),
                (target, failure) -> new Unreachable(Unreachable.Reason.OTHER, failure));
        SortedMap<NodeName, NodeReport> byName = new TreeMap<>();
        for (int i = 0; i < targets.size(); i++) {
            byName.put(targets.get(i).name(), reports.get(i));
        }
        return Check.sortedCopy(byName);
    }

    private NodeReport observe(Target target, NodesTable.Known known) {
        try {
            return ReportReader.read(connections.ask(target, ReportReader.questions(target.directives())), known);
        } catch (NoAnswer e) {
            return e.report();
        }
    }

    @Override
    public List<ActionResult> execute(SortedMap<NodeName, Target> targets, List<ValkeyAction> actions) {
        return fanOut.all(
                actions,
                settings.longestAction(),
                action -> executor.run(targets, action),
                (action, failure) -> new ActionResult.Unknown(action.key() + ": " + failure));
    }

    /**
     * Reads the counters of all targets at the same time, as {@link #observe} asks them.
     *
     * @return a sample of each that answered; who did not is missing
     */
    public SortedMap<NodeName, LoadSample> sample(List<Target> targets) {
        List<Optional<LoadSample>> samples =
                fanOut.all(targets, settings.longestObservation(), this::sample, (target, failure) -> Optional.empty());
        SortedMap<NodeName, LoadSample> byName = new TreeMap<>();
        for (int i = 0; i < targets.size(); i++) {
            NodeName name = targets.get(i).name();
            samples.get(i).ifPresent(sample -> byName.put(name, sample));
        }
        return Check.sortedCopy(byName);
    }

    private Optional<LoadSample> sample(Target target) {
        try {
            return LoadReader.read(connections.ask(target, LoadReader.QUESTIONS), clock.instant());
        } catch (NoAnswer e) {
            return Optional.empty();
        }
    }

    private void keepHouse() {
        try {
            while (true) {
                Thread.sleep(settings.idle().dividedBy(4));
                connections.closeIdle();
            }
        } catch (InterruptedException e) {
            // The port was closed.
            return;
        }
    }

    /** Closes every connection. Calls under way end with a report or a result that says so. */
    @Override
    public void close() {
        housekeeper.interrupt();
        fanOut.close();
        connections.close();
    }
}
