package com.gomomento.valkey.operator.sim.run;

import com.gomomento.valkey.operator.sim.check.Violation;
import com.gomomento.valkey.operator.sim.scope.Scope;
import com.gomomento.valkey.operator.sim.scope.SmallScope;
import com.gomomento.valkey.operator.sim.world.Course;
import com.gomomento.valkey.operator.sim.world.Journeys;
import com.gomomento.valkey.operator.sim.world.Probe;
import com.gomomento.valkey.operator.sim.world.Program;
import com.gomomento.valkey.operator.sim.world.Scenario;
import com.gomomento.valkey.operator.sim.world.Scenarios;
import com.gomomento.valkey.operator.sim.world.Trace;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;

/** Runs worlds from the command line; see {@code ./dev help}. */
public final class Simulate {

    private static final int MOST_STATES = 200_000;

    private final PrintStream out;

    private Simulate(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs what the arguments ask for.
     *
     * @param args {@code --seeds N [--from S]}, {@code --minutes M [--from S]}, {@code --seed S [--trace]}, {@code --story
     *     NAME}, {@code --probe}, {@code --small-scope}, or {@code --hash S}
     */
    public static void main(String[] args) {
        Simulate simulate = new Simulate(System.out);
        boolean well;
        try {
            well = simulate.run(Arguments.read(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.exit(well ? 0 : 1);
    }

    private boolean run(Arguments arguments) {
        if (arguments.story().isPresent()) {
            return story(arguments.story().get());
        }
        if (arguments.probe()) {
            return probe();
        }
        if (arguments.smallScope()) {
            return smallScope();
        }
        if (arguments.hash().isPresent()) {
            long seed = arguments.hash().getAsLong();
            out.println(Course.run(Scenarios.draw(seed), false).trace().hash());
            return true;
        }
        if (arguments.seed().isPresent()) {
            return one(arguments.seed().getAsLong(), arguments.trace());
        }
        return many(arguments);
    }

    private boolean story(String name) {
        Course.Result result = Course.run(Stories.scenario(name), true);
        result.trace().lines().stream()
                .filter(line -> Stories.tells(line))
                .forEach(line -> out.println(Stories.shown(line)));
        result.violation().ifPresent(violation -> out.println(violation.getMessage()));
        return result.violation().isEmpty();
    }

    private boolean smallScope() {
        boolean well = true;
        for (Scope scope : Scope.all()) {
            SmallScope.Result result = SmallScope.explore(scope, Program.PRODUCTION, MOST_STATES);
            out.println(result);
            result.violation().ifPresent(violation -> out.println("  " + violation.getMessage() + ", after:"));
            if (result.violation().isEmpty() && result.traps() > 0) {
                out.println("  no way leads to all as wished after:");
            }
            result.path().forEach(step -> out.println("    " + step));
            well &= result.violation().isEmpty();
        }
        return well;
    }

    private boolean probe() {
        boolean well = true;
        for (Map.Entry<String, Scenario> journey : Journeys.all().entrySet()) {
            for (Probe.Kind kind : Probe.Kind.values()) {
                well &= probe(journey.getKey(), journey.getValue(), kind);
            }
        }
        return well;
    }

    private boolean probe(String name, Scenario journey, Probe.Kind kind) {
        long failed = 0;
        long step = 0;
        boolean reached = true;
        while (reached) {
            step++;
            Probe probe = new Probe(kind, step);
            Course.Result result = Course.run(journey.with(probe), false);
            reached = result.counters().containsKey("probed " + kind);
            if (result.violation().isPresent()) {
                failed++;
                out.println("  " + probe + ": " + result.violation().get().getMessage());
            }
        }
        out.println(name + ", " + kind + " at each of " + (step - 1) + " steps: " + failed + " failed");
        return failed == 0;
    }

    private boolean one(long seed, boolean trace) {
        Scenario scenario = Scenarios.draw(seed);
        Course.Result result = Course.run(scenario, trace);
        if (trace) {
            result.trace().lines().forEach(line -> out.println(line));
        }
        describe(scenario);
        result.violation().ifPresent(violation -> {
            out.println();
            tell(seed, result, violation);
            if (violation.getCause() != null) {
                violation.getCause().printStackTrace(out);
            }
            out.println();
            out.println("What is needed of its happenings:");
            Scenario small = Shrinker.shrink(scenario, violation);
            small.happenings().forEach(happening -> out.println("  " + happening));
        });
        out.println("trace " + result.trace().hash() + ", " + result.endedMillis() / 1000 + " s of virtual time");
        return result.violation().isEmpty();
    }

    private void describe(Scenario scenario) {
        out.println("seed " + scenario.seed() + ": " + scenario.operators() + " operators, " + scenario.machines()
                + " machines, clusters " + scenario.clusters());
        scenario.happenings().forEach(happening -> out.println("  " + happening));
    }

    private boolean many(Arguments arguments) {
        Tally tally = new Tally();
        long started = System.nanoTime();
        long seed = arguments.from();
        while (arguments.goesOn(seed - arguments.from(), System.nanoTime() - started)) {
            Course.Result result = Course.run(Scenarios.draw(seed), false);
            tally.add(result);
            if (result.violation().isPresent()) {
                tell(seed, result, result.violation().get());
            }
            seed++;
        }
        SortedSet<String> neverReached = tally.neverReached();
        double minutes = (System.nanoTime() - started) / 60e9;
        tally.print(out);
        out.println(String.format(
                Locale.ROOT,
                "%d seeds from %d, %d failed, %.0f seeds a minute",
                tally.seeds(),
                arguments.from(),
                tally.failed(),
                tally.seeds() / minutes));
        neverReached.forEach(what -> out.println("never reached, though " + tally.seeds() + " worlds ran: " + what));
        return tally.failed() == 0 && neverReached.isEmpty();
    }

    private void tell(long seed, Course.Result result, Violation violation) {
        out.println("seed " + seed + " failed at "
                + new Trace.Line(result.endedMillis(), "", "").toString().strip() + ": " + violation.getMessage());
        out.println("  replay: ./dev sim --seed " + seed + " --trace");
    }
}
