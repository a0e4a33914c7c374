package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.core.reconcile.ReconcileLoop;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;
import com.gomomento.valkey.operator.sim.kubernetes.ApiServer;
import com.gomomento.valkey.operator.sim.kubernetes.ApiWeather;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Mirror;
import com.gomomento.valkey.operator.sim.kubernetes.SimKubernetesPort;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import com.gomomento.valkey.operator.sim.valkey.ValkeyNetwork;
import java.util.Optional;

/** A place where an operator runs: when its process ends, another one is started there. */
final class OperatorHost {

    private final Timeline timeline;
    private final Dice dice;
    private final ApiServer api;
    private final ValkeyNetwork network;
    private final Program program;
    private final Hooks hooks;
    private final ApiWeather apiWeather = new ApiWeather();
    private final CommandWeather commandWeather = new CommandWeather();
    private Life life = new Life();
    private Optional<Mirror> mirror = Optional.empty();
    private long starts;
    private int writesUntilCrash;
    private long restartMillis;

    /** What the world wants to hear of an operator. */
    record Hooks(WriteListener writes, CommandListener commands, Journal journal) {}

    OperatorHost(Timeline timeline, Dice dice, ApiServer api, ValkeyNetwork network, Program program, Hooks hooks) {
        this.timeline = timeline;
        this.dice = dice;
        this.api = api;
        this.network = network;
        this.program = program;
        this.hooks = hooks;
    }

    ApiWeather apiWeather() {
        return apiWeather;
    }

    CommandWeather commandWeather() {
        return commandWeather;
    }

    /** Starts a process here. */
    void start() {
        starts++;
        life = new Life();
        SimOperator[] operator = new SimOperator[1];
        Mirror fresh = new Mirror(api, timeline, dice.split(), apiWeather, life, key -> operator[0].wake(key));
        SimKubernetesPort kubernetes =
                new SimKubernetesPort(api, fresh, timeline, dice.split(), apiWeather, life, (verb, before, after) -> {
                    hooks.writes().wrote(verb, before, after);
                    countWrite();
                });
        SimValkeyPort valkey = new SimValkeyPort(
                network, timeline, dice.split(), life, commandWeather, program.guard(), counting(hooks.commands()));
        ReconcileLoop loop =
                new ReconcileLoop(kubernetes, valkey, hooks.journal(), ZoneSpread.BEST_EFFORT, program.planning());
        operator[0] = new SimOperator(timeline, life, loop);
        mirror = Optional.of(fresh);
    }

    private CommandListener counting(CommandListener inner) {
        return new CommandListener() {
            @Override
            public void before(
                    com.gomomento.valkey.operator.core.plan.ValkeyAction action,
                    com.gomomento.valkey.operator.sim.valkey.Server server) {
                inner.before(action, server);
            }

            @Override
            public void after(
                    com.gomomento.valkey.operator.core.plan.ValkeyAction action,
                    com.gomomento.valkey.operator.sim.valkey.Server server) {
                inner.after(action, server);
                countWrite();
            }
        };
    }

    private void countWrite() {
        if (writesUntilCrash > 0) {
            writesUntilCrash--;
            if (writesUntilCrash == 0) {
                crash(restartMillis);
            }
        }
    }

    /** Ends the process now; another one starts after that time. */
    void crash(long restartAfterMillis) {
        if (life.ended()) {
            return;
        }
        life.end();
        writesUntilCrash = 0;
        long mine = starts;
        timeline.after(restartAfterMillis, () -> {
            if (mine == starts) {
                start();
            }
        });
    }

    /** Ends the process just after the {@code count}th write from now took effect. */
    void crashInWrite(int count, long restartAfterMillis) {
        writesUntilCrash = count;
        restartMillis = restartAfterMillis;
    }

    void disturbWatch(Kind kind, long millis, boolean anew) {
        if (!life.ended()) {
            mirror.ifPresent(present -> present.disturb(kind, millis, anew));
        }
    }

    /** All faults of this place end. */
    void heal() {
        apiWeather.clear();
        commandWeather.clear();
        writesUntilCrash = 0;
        if (life.ended()) {
            start();
        } else {
            mirror.ifPresent(Mirror::mend);
        }
    }
}
