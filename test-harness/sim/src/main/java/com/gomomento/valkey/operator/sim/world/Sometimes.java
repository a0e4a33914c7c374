package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.plan.Action;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.plan.Plan;
import com.gomomento.valkey.operator.core.plan.Reason;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What must happen sometimes if many worlds are to prove anything: every kind of fault strikes, every action is planned and
 * every kind of reason is given. Rules of the planner are told apart by their actions and reasons.
 */
public final class Sometimes {

    /** Worlds after which whatever can be reached has been, unless drawing or the operator keeps it from being. */
    public static final long WORLDS = 2_000;

    private Sometimes() {}

    /** Names of all counters that must not stay 0. */
    public static SortedSet<String> required() {
        SortedSet<String> required = new TreeSet<>();
        for (Happening.Kind kind : Happening.Kind.values()) {
            if (!Scenarios.NOT_YET.contains(kind)) {
                required.add(struck(kind));
            }
        }
        for (Class<?> action : KubernetesAction.class.getPermittedSubclasses()) {
            required.add(planned(action));
        }
        for (Class<?> action : ValkeyAction.class.getPermittedSubclasses()) {
            required.add(planned(action));
        }
        for (ValkeyAction.Failover.Mode mode : ValkeyAction.Failover.Mode.values()) {
            required.add(planned(ValkeyAction.Failover.class) + " " + mode);
        }
        for (ValkeyAction.MoveSlots.Method method : ValkeyAction.MoveSlots.Method.values()) {
            required.add(planned(ValkeyAction.MoveSlots.class) + " " + method);
        }
        for (Reason.Kind kind : Reason.Kind.values()) {
            required.add(because(kind));
        }
        return required;
    }

    static String struck(Happening.Kind kind) {
        return "struck " + kind;
    }

    /** Counts what a plan holds. */
    static void count(Plan plan, World world) {
        for (Action action : plan.actions()) {
            world.count(planned(action.getClass()));
            if (action instanceof ValkeyAction.Failover failover) {
                world.count(planned(action.getClass()) + " " + failover.mode());
            }
            if (action instanceof ValkeyAction.MoveSlots move) {
                world.count(planned(action.getClass()) + " " + move.method());
            }
        }
        plan.reasons().stream().map(Reason::kind).distinct().forEach(kind -> world.count(because(kind)));
    }

    private static String planned(Class<?> action) {
        return "planned " + action.getSimpleName();
    }

    private static String because(Reason.Kind kind) {
        return "because " + kind;
    }
}
