package com.gomomento.valkey.operator.sim.run;

import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.sim.world.Happening;
import com.gomomento.valkey.operator.sim.world.Scenario;
import com.gomomento.valkey.operator.sim.world.Trace;
import java.util.List;
import java.util.regex.Pattern;

/** A few histories without chance in their plot, to be read by people. */
final class Stories {

    private static final ClusterKey CACHE = new ClusterKey("shop", "cache");
    private static final Pattern BOOKKEEPING = Pattern.compile("UPDATE (NODE|POD|CLUSTER).*|.* tick .*|DELETE NODE.*");

    private Stories() {}

    static Scenario scenario(String name) {
        return switch (name) {
            case "bootstrap" -> story(3, 1);
            case "scale" -> story(3, 1, new Happening(20_000, Happening.Kind.WISH_SHARDS, 4));
            case "roll" -> story(3, 1, new Happening(20_000, Happening.Kind.WISH_TEMPLATE, 1));
            case "quorum" -> story(3, 1, new Happening(20_000, Happening.Kind.KILL_MAJORITY, 1));
            default ->
                throw new IllegalArgumentException(
                        "there is no story '" + name + "'; allowed are bootstrap, scale, roll, quorum");
        };
    }

    private static Scenario story(int shards, int replicas, Happening... happenings) {
        List<Happening> all = List.of(happenings);
        long heal = all.isEmpty() ? 1_000 : all.getLast().atMillis() + 1_000;
        return new Scenario(1, 1, 3, List.of(new Scenario.ClusterPlan(CACHE, "9.1.2", shards, replicas)), all, heal);
    }

    /** Whether a line says something that a reader would miss. */
    static boolean tells(Trace.Line line) {
        return !line.who().equals("api") && !BOOKKEEPING.matcher(line.what()).matches();
    }

    /** A line without what only machines want to know. */
    static String shown(Trace.Line line) {
        return new Trace.Line(line.millis(), line.who(), line.what().replaceAll("([0-9a-f]{8})[0-9a-f]{32}", "$1"))
                .toString();
    }
}
