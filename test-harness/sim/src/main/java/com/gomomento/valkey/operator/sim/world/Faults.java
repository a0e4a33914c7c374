package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.check.Roster;
import com.gomomento.valkey.operator.sim.check.Truth;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Machines;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Does to a world what its scenario has in store for it. */
final class Faults {

    private final World world;
    private final Wishes wishes;
    private final List<Runnable> repairs = new ArrayList<>();

    Faults(World world) {
        this.world = world;
        this.wishes = new Wishes(world);
    }

    /** All faults end for good. Users' last wishes stay. */
    void heal() {
        repairs.forEach(Runnable::run);
        repairs.clear();
        world.operators().forEach(OperatorHost::heal);
        world.machines().limitPods(Integer.MAX_VALUE);
        world.machines().troubleImages(0);
        world.api().limitPods(Long.MAX_VALUE);
        wishes.settle();
    }

    void strike(Happening happening) {
        Dice dice = new Dice(happening.salt());
        switch (happening.kind()) {
            case KILL_SERVER, FREEZE_SERVER, DELETE_POD, EVICT_POD, CUT_LINK -> onServer(happening.kind(), dice);
            case KILL_MACHINE, CUT_MACHINE -> onMachine(happening.kind(), dice);
            case KILL_ALL_SERVERS, KILL_MAJORITY, KILL_SHARD -> onCluster(happening.kind(), dice);
            case CRASH_OPERATOR,
                    CRASH_IN_WRITE,
                    API_LOSSES,
                    API_REFUSALS,
                    API_SLOW,
                    WATCH_DEAF,
                    WATCH_ANEW,
                    COMMAND_LOSSES -> onOperator(happening.kind(), dice);
            case POD_QUOTA -> {
                world.api().limitPods(world.api().list(Kind.POD).size() + dice.below(3));
                lasting(dice, 5_000, 40_000, () -> world.api().limitPods(Long.MAX_VALUE));
            }
            case NO_ROOM -> {
                world.machines().limitPods(1 + dice.below(3));
                lasting(dice, 5_000, 40_000, () -> world.machines().limitPods(Integer.MAX_VALUE));
            }
            case NO_IMAGES -> world.machines().troubleImages(1 + dice.below(12));
            case DELETE_SUPPORT ->
                deleteOne(dice, List.of(Kind.SERVICE, Kind.CONFIG_MAP, Kind.SECRET, Kind.DISRUPTION_BUDGET));
            case DELETE_RECORD -> deleteOne(dice, List.of(Kind.NODE));
            case WISH_ANNOTATION,
                    WISH_PAUSE,
                    WISH_INVALID,
                    WISH_DELETE,
                    WISH_REPLICAS,
                    WISH_SHARDS,
                    WISH_TEMPLATE,
                    WISH_POISON,
                    WISH_DIRECTIVE -> wishes.change(happening.kind(), dice);
        }
    }

    private void tell(String what) {
        world.trace().tell("fault", what);
    }

    private void lasting(Dice dice, long least, long most, Runnable end) {
        repairs.add(end);
        world.timeline().after(dice.between(least, most), end);
    }

    private void onServer(Happening.Kind kind, Dice dice) {
        List<Machines.Container> containers = world.machines().containers();
        if (containers.isEmpty()) {
            return;
        }
        Machines.Container container = dice.pick(containers);
        tell(kind + " " + container.pod().name());
        switch (kind) {
            case KILL_SERVER -> world.machines().killContainer(container, "Error", 137);
            case FREEZE_SERVER -> freeze(container, dice);
            case DELETE_POD -> world.api().delete(container.pod(), dice.chance(500) ? 30 : 0);
            case EVICT_POD -> world.machines().evict(container);
            default -> cutLink(container, dice.pick(containers), dice);
        }
    }

    private void freeze(Machines.Container container, Dice dice) {
        world.network().at(container.ip()).ifPresent(server -> {
            world.network().freeze(server);
            lasting(dice, 500, 40_000, () -> world.network().thaw(server));
        });
    }

    private void cutLink(Machines.Container one, Machines.Container other, Dice dice) {
        world.network().cut(one.ip(), other.ip());
        lasting(dice, 1_000, 40_000, () -> world.network().mend(one.ip(), other.ip()));
    }

    private void onMachine(Happening.Kind kind, Dice dice) {
        if (world.machines().up().isEmpty()) {
            return;
        }
        String machine = dice.pick(world.machines().up());
        tell(kind + " " + machine);
        if (kind == Happening.Kind.KILL_MACHINE) {
            world.machines().killMachine(machine);
            return;
        }
        List<String> inside = world.machines().on(machine).stream()
                .map(Machines.Container::ip)
                .toList();
        List<String> outside = world.machines().containers().stream()
                .map(Machines.Container::ip)
                .filter(ip -> !inside.contains(ip))
                .toList();
        inside.forEach(in -> {
            outside.forEach(out -> world.network().cut(in, out));
            world.operators().forEach(operator -> operator.commandWeather().cutOff(in));
        });
        long millis = dice.between(1_000, 45_000);
        Runnable back = () -> {
            inside.forEach(in -> {
                outside.forEach(out -> world.network().mend(in, out));
                world.operators().forEach(operator -> operator.commandWeather().mend(in));
            });
            world.machines().reconnect(machine);
        };
        world.machines().cutOff(machine);
        repairs.add(back);
        world.timeline().after(millis, back);
    }

    private void onCluster(Happening.Kind kind, Dice dice) {
        List<Stored> clusters = world.truth().clusters();
        if (clusters.isEmpty()) {
            return;
        }
        String uid = dice.pick(clusters).uid();
        List<Roster.Instance> processes = new ArrayList<>(world.roster().existing(uid));
        List<Roster.Instance> primaries = processes.stream()
                .filter(process -> !Truth.ownSlots(process.server()).equals(SlotSet.EMPTY))
                .toList();
        List<Roster.Instance> victims = new ArrayList<>();
        if (kind == Happening.Kind.KILL_ALL_SERVERS) {
            victims.addAll(processes);
        } else if (kind == Happening.Kind.KILL_MAJORITY) {
            victims.addAll(primaries);
            while (victims.size() > primaries.size() / 2 + 1) {
                victims.remove(dice.below(victims.size()));
            }
        } else if (!primaries.isEmpty()) {
            var shard = dice.pick(primaries).shard();
            processes.removeIf(process -> !process.shard().equals(shard));
            victims.addAll(processes);
        }
        Collections.reverse(victims);
        tell(kind + " " + victims);
        victims.forEach(victim -> world.machines()
                .container(victim.podUid())
                .ifPresent(container -> world.machines().killContainer(container, "OOMKilled", 137)));
    }

    private void onOperator(Happening.Kind kind, Dice dice) {
        OperatorHost operator = dice.pick(world.operators());
        tell(kind.toString());
        switch (kind) {
            case CRASH_OPERATOR -> operator.crash(dice.between(200, 10_000));
            case CRASH_IN_WRITE -> operator.crashInWrite(1 + dice.below(12), dice.between(200, 10_000));
            case API_LOSSES -> {
                operator.apiWeather().lose(50 + dice.below(400));
                lasting(dice, 1_000, 30_000, operator.apiWeather()::clear);
            }
            case API_REFUSALS -> {
                operator.apiWeather().refuse(50 + dice.below(950));
                lasting(dice, 1_000, 20_000, operator.apiWeather()::clear);
            }
            case API_SLOW -> {
                operator.apiWeather().slow(dice.between(10, 500), dice.between(50, 8_000));
                lasting(dice, 1_000, 40_000, operator.apiWeather()::clear);
            }
            case COMMAND_LOSSES -> {
                operator.commandWeather().lose(50 + dice.below(500));
                lasting(dice, 1_000, 30_000, () -> operator.commandWeather().lose(0));
            }
            default ->
                operator.disturbWatch(
                        dice.pick(List.of(Kind.values())),
                        dice.between(500, 30_000),
                        kind == Happening.Kind.WATCH_ANEW);
        }
    }

    private void deleteOne(Dice dice, List<Kind> kinds) {
        Kind kind = dice.pick(kinds);
        Optional<Stored> victim = Optional.of(world.api().list(kind).stream()
                        .filter(object -> object.owner().isPresent())
                        // New passwords need servers that reload their users, which the planner does not ask for yet.
                        .filter(object -> !(object.content() instanceof Content.Credentials))
                        .toList())
                .filter(objects -> !objects.isEmpty())
                .map(dice::pick);
        victim.ifPresent(object -> {
            tell("somebody deletes " + object.key());
            world.api().delete(object.key(), 0);
        });
    }
}
