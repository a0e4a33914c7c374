package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.sim.kubernetes.ApiServer;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import java.util.Optional;

/** Waits for the step of a scenario's probe, and disturbs the world there. */
final class Probes {

    private static final long RESTART_MILLIS = 700;
    private static final long DEAF_MILLIS = 9_000;

    private final World world;
    private final Optional<Probe> probe;
    private long changes;

    Probes(World world) {
        this.world = world;
        this.probe = world.scenario().probe();
        if (isOf(Probe.Kind.DEAF_AT_CHANGE)) {
            world.api().listen(this::changed);
        }
    }

    private boolean isOf(Probe.Kind kind) {
        return probe.filter(wanted -> wanted.kind() == kind).isPresent();
    }

    /** An operator's {@code count}th write took effect. */
    void wrote(long count) {
        if (probe.filter(wanted -> wanted.at() == count).isEmpty()) {
            return;
        }
        switch (probe.get().kind()) {
            case CRASH_AT_WRITE -> {
                tell();
                world.operators().getFirst().crash(RESTART_MILLIS);
            }
            case SECOND_AT_WRITE -> {
                tell();
                world.addOperator("operator-2").start();
            }
            case DEAF_AT_CHANGE -> {
                // Counts changes, not writes.
            }
        }
    }

    private void changed(ApiServer.Change change) {
        changes++;
        if (probe.filter(wanted -> wanted.at() == changes).isPresent()) {
            Kind kind = change.object().key().kind();
            tell();
            world.operators().getFirst().disturbWatch(kind, DEAF_MILLIS, false);
        }
    }

    private void tell() {
        world.count("probed " + probe.orElseThrow().kind());
        world.trace().tell("fault", probe.orElseThrow().toString());
    }
}
