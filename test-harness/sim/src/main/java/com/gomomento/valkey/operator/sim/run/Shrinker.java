package com.gomomento.valkey.operator.sim.run;

import com.gomomento.valkey.operator.sim.check.Violation;
import com.gomomento.valkey.operator.sim.world.Course;
import com.gomomento.valkey.operator.sim.world.Happening;
import com.gomomento.valkey.operator.sim.world.Scenario;
import java.util.ArrayList;
import java.util.List;

/** Leaves out one happening after the other as long as the same invariant still fails. */
final class Shrinker {

    private Shrinker() {}

    static Scenario shrink(Scenario scenario, Violation violation) {
        Scenario small = scenario;
        boolean shrunk = true;
        while (shrunk) {
            shrunk = false;
            for (int i = small.happenings().size() - 1; i >= 0; i--) {
                List<Happening> fewer = new ArrayList<>(small.happenings());
                fewer.remove(i);
                Scenario candidate = small.with(fewer);
                boolean same = Course.run(candidate, false)
                        .violation()
                        .filter(found -> found.invariant().equals(violation.invariant()))
                        .isPresent();
                if (same) {
                    small = candidate;
                    shrunk = true;
                }
            }
        }
        return small;
    }
}
