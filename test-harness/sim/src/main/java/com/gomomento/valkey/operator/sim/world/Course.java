package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.sim.check.Goal;
import com.gomomento.valkey.operator.sim.check.Violation;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The course of one world: chaos as its scenario has it, then all faults end, then it must come to what users last wished
 * for within a bound (L1), and then nothing may be written any more (L2).
 */
public final class Course {

    /**
     * How long a healed world may take. A shard whose servers died soon after their start may have to wait for up to 300 s
     * before its next try, and a server that seemed dead is banned from coming back for 60 s.
     */
    static final long BOUND_MILLIS = 480_000;

    private static final long LOOK_EVERY_MILLIS = 500;
    /** News that were late when the faults ended have arrived by then. */
    private static final long SETTLED_MILLIS = 12_000;

    private static final long QUIET_MILLIS = 45_000;

    private final World world;
    private final Goal goal;
    private final Faults faults;

    private Course(World world) {
        this.world = world;
        this.goal = new Goal(world.truth());
        this.faults = new Faults(world);
    }

    /**
     * What became of a world.
     *
     * @param scenario that decided it
     * @param violation what did not hold; empty if all held
     * @param endedMillis virtual time at the end
     * @param convergedMillis virtual time from the end of all faults until all was as wished
     * @param trace of what happened
     * @param counters how often rare things were reached
     * @param looks how often each invariant had something to check
     */
    public record Result(
            Scenario scenario,
            Optional<Violation> violation,
            long endedMillis,
            long convergedMillis,
            Trace trace,
            Map<String, Long> counters,
            SortedMap<String, Long> looks) {}

    /** Runs a world from its beginning to its end. */
    public static Result run(Scenario scenario, boolean keepTrace) {
        return run(scenario, keepTrace, Program.PRODUCTION);
    }

    /** As above, with operators that decide as {@code program} does. */
    public static Result run(Scenario scenario, boolean keepTrace, Program program) {
        Course course = new Course(new World(scenario, keepTrace, program));
        Optional<Violation> violation = Optional.empty();
        long converged = 0;
        try {
            converged = course.run();
        } catch (Violation found) {
            violation = Optional.of(found);
        } catch (RuntimeException thrown) {
            Violation broken = new Violation("Thrown", String.valueOf(thrown));
            broken.initCause(thrown);
            violation = Optional.of(broken);
        }
        World world = course.world;
        violation.ifPresent(found -> world.trace().tell("check", String.valueOf(found.getMessage())));
        return new Result(
                scenario,
                violation,
                world.timeline().nowMillis(),
                converged,
                world.trace(),
                world.counters(),
                world.invariants().looks());
    }

    private long run() {
        world.begin();
        for (Happening happening : world.scenario().happenings()) {
            world.timeline().after(happening.atMillis(), () -> {
                world.count(Sometimes.struck(happening.kind()));
                faults.strike(happening);
            });
        }
        world.timeline().passUntil(world.scenario().healMillis());
        world.trace().tell("world", "all faults end");
        faults.heal();
        long healed = world.timeline().nowMillis();
        long converged = settle(healed);
        world.trace().tell("world", "all is as wished");
        stayQuiet();
        world.invariants().lastCopy().atTheEnd();
        return converged - healed;
    }

    /** Waits until all is as wished and has been for a while; gives the time since when. */
    private long settle(long healed) {
        long since = healed;
        while (true) {
            world.timeline().passUntil(world.timeline().nowMillis() + LOOK_EVERY_MILLIS);
            Optional<String> gap = goal.firstGap();
            if (gap.isEmpty()) {
                if (world.timeline().nowMillis() - since >= SETTLED_MILLIS) {
                    return since;
                }
                continue;
            }
            since = world.timeline().nowMillis();
            if (world.timeline().nowMillis() - healed > BOUND_MILLIS) {
                throw new Violation(
                        "L1 Convergence",
                        "not as wished " + BOUND_MILLIS / 1000 + " s after all faults ended: " + gap.get());
            }
        }
    }

    private void stayQuiet() {
        long writes = world.effectiveWrites();
        long until = world.timeline().nowMillis() + QUIET_MILLIS;
        world.timeline().passUntil(until);
        if (world.effectiveWrites() != writes) {
            throw new Violation(
                    "L2 Quiescence",
                    world.effectiveWrites() - writes + " writes after all was as wished, within " + QUIET_MILLIS / 1000
                            + " s");
        }
        goal.firstGap().ifPresent(gap -> {
            throw new Violation("L1 Convergence", "all was as wished and did not stay so: " + gap);
        });
    }
}
