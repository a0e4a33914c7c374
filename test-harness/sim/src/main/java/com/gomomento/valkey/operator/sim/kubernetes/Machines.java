package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Timeline;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Scheduler, kubelets and the controller that clears up after nodes: binds pods, starts and ends their containers, and reports
 * what it sees with the delays that this takes. A machine may die with all that runs on it, or be cut off while it runs on.
 */
public final class Machines {

    private static final long RETRY_MILLIS = 1_000;

    private final ApiServer api;
    private final Timeline timeline;
    private final Dice dice;
    private final Containers containers;
    private final Addresses addresses;
    private final TreeSet<String> up = new TreeSet<>();
    private final TreeSet<String> silent = new TreeSet<>();
    private final SortedMap<String, Container> running = new TreeMap<>();
    private int machines;
    private int podsPerMachine = 1_000;
    private int troubledImages;

    /** A container that runs, whatever the API server says of its pod. */
    public record Container(ObjectKey pod, String podUid, String machine, String ip) {}

    /** So many machines, all up. */
    public Machines(ApiServer api, Timeline timeline, Dice dice, Containers containers, int count) {
        this.api = api;
        this.timeline = timeline;
        this.dice = dice;
        this.containers = containers;
        this.addresses = new Addresses(timeline, dice.split());
        for (int i = 0; i < count; i++) {
            addMachine();
        }
        api.listen(this::heard);
    }

    /** Every container that really runs, by its pod's UID. */
    public List<Container> containers() {
        return List.copyOf(running.values());
    }

    /** The container of a pod, if it really runs. */
    public Optional<Container> container(String podUid) {
        return Optional.ofNullable(running.get(podUid));
    }

    /** Machines that are up, by name. */
    public List<String> up() {
        return List.copyOf(up);
    }

    /** Pods that fit on one machine; what does not fit stays Pending. */
    public void limitPods(int perMachine) {
        podsPerMachine = perMachine;
    }

    /** The next images that are pulled can't be had for a while. */
    public void troubleImages(int pulls) {
        troubledImages = pulls;
    }

    /** The process of a container ends by itself. */
    public void killContainer(Container container, String reason, int exitCode) {
        if (running.containsKey(container.podUid())) {
            stop(container);
            timeline.after(
                    dice.between(20, 600),
                    () -> report(container, new PodView.Exit(reason, Optional.of(exitCode), "")));
        }
    }

    /** The kubelet evicts a pod. */
    public void evict(Container container) {
        if (running.containsKey(container.podUid()) && !silent.contains(container.machine())) {
            stop(container);
            report(container, new PodView.Exit("Evicted", Optional.empty(), "The node was low on resource: memory."));
        }
    }

    /** A machine dies with all that runs on it; later its pods are cleared away, and another machine takes its place. */
    public void killMachine(String machine) {
        up.remove(machine);
        on(machine).forEach(this::stop);
        clearUpLater(machine);
    }

    /**
     * A machine is cut off: what runs on it runs on, its kubelet hears nothing. Its pods are cleared away as those of a dead
     * machine.
     */
    public void cutOff(String machine) {
        up.remove(machine);
        silent.add(machine);
        clearUpLater(machine);
    }

    /** A machine that was cut off is back, and ends what it should no longer run. */
    public void reconnect(String machine) {
        if (silent.remove(machine)) {
            up.add(machine);
            on(machine).forEach(this::catchUp);
            podsOf(machine).stream()
                    .filter(pod -> container(pod.uid()).isEmpty())
                    .forEach(pod -> catchUpWithout(pod, machine));
        }
    }

    /** Containers on a machine. */
    public List<Container> on(String machine) {
        return running.values().stream()
                .filter(container -> container.machine().equals(machine))
                .toList();
    }

    private void addMachine() {
        machines++;
        up.add("machine-" + machines);
    }

    private void clearUpLater(String machine) {
        timeline.after(dice.between(2_000, 10_000), () -> {
            if (!up.contains(machine)) {
                podsOf(machine).forEach(pod -> setState(pod, state -> state.finished() ? state : state.ready(false)));
            }
        });
        timeline.after(dice.between(10_000, 30_000), () -> {
            if (!up.contains(machine)) {
                podsOf(machine).forEach(pod -> api.delete(pod.key(), 0));
                addMachine();
            }
        });
    }

    private List<Stored> podsOf(String machine) {
        return api.list(Kind.POD).stream()
                .filter(pod -> pod.pod().state().machine().equals(Optional.of(machine)))
                .toList();
    }

    private void heard(ApiServer.Change change) {
        Stored object = change.object();
        if (object.key().kind() != Kind.POD) {
            return;
        }
        if (change.deleted()) {
            container(object.uid())
                    .ifPresent(container -> timeline.after(dice.between(10, 300), () -> endForgotten(container)));
            return;
        }
        Content.PodState state = object.pod().state();
        if (object.terminating()) {
            timeline.after(dice.between(20, 900), () -> endTerminating(object));
        } else if (state.machine().isEmpty() && state.trouble().isEmpty()) {
            timeline.after(dice.between(5, 60), () -> bind(object));
        }
    }

    private Optional<Stored> still(Stored pod) {
        return api.get(pod.key()).filter(now -> now.uid().equals(pod.uid()));
    }

    private void bind(Stored pod) {
        Optional<Stored> now = still(pod).filter(there -> !there.terminating());
        if (now.isEmpty() || now.get().pod().state().machine().isPresent()) {
            return;
        }
        List<String> fitting = up.stream()
                .filter(machine -> podsOf(machine).size() < podsPerMachine)
                .toList();
        if (fitting.isEmpty()) {
            setState(
                    pod,
                    state -> state.troubled(new PodView.Unschedulable(
                            "0/" + up.size() + " nodes are available: " + up.size() + " Too many pods.")));
            timeline.after(RETRY_MILLIS, () -> bind(pod));
            return;
        }
        String machine = dice.pick(fitting);
        setState(pod, state -> state.bound(machine));
        long startMillis = dice.chance(50) ? dice.between(4_000, 12_000) : dice.between(500, 4_000);
        timeline.after(startMillis, () -> start(pod, machine));
    }

    private void start(Stored pod, String machine) {
        Optional<Stored> now = still(pod).filter(there -> !there.terminating());
        if (now.isEmpty() || !up.contains(machine) || running.containsKey(pod.uid())) {
            return;
        }
        Optional<String> mounted = mounted(now.get());
        if (troubledImages > 0 || mounted.isEmpty()) {
            if (troubledImages > 0) {
                troubledImages--;
                setState(pod, state -> state.troubled(new PodView.Waiting("ErrImagePull", "registry is unreachable")));
            }
            timeline.after(RETRY_MILLIS, () -> start(pod, machine));
            return;
        }
        String ip = addresses.take();
        Optional<PodView.Exit> crash = containers.start(ip, now.get(), mounted.get());
        setState(pod, state -> state.running(ip));
        if (crash.isPresent()) {
            addresses.free(ip);
            setState(pod, state -> state.ended(crash.get()));
            return;
        }
        running.put(pod.uid(), new Container(pod.key(), pod.uid(), machine, ip));
        timeline.after(dice.between(200, 1_500), () -> {
            if (running.containsKey(pod.uid()) && !silent.contains(machine)) {
                setState(pod, state -> state.phase() == PodView.Phase.RUNNING ? state.ready(true) : state);
            }
        });
    }

    /** What the pod mounts: {@code valkey.conf}, once the Secret is there too. */
    private Optional<String> mounted(Stored pod) {
        String uid = pod.owner().orElse("");
        boolean secret = api.list(Kind.SECRET).stream()
                .anyMatch(object -> object.ownedBy(uid) && object.content() instanceof Content.Access);
        return api.list(Kind.CONFIG_MAP).stream()
                .filter(object -> secret && object.ownedBy(uid))
                .flatMap(object -> object.content() instanceof Content.ServerConfig(String file)
                        ? java.util.stream.Stream.of(file)
                        : java.util.stream.Stream.empty())
                .findFirst();
    }

    private void endTerminating(Stored pod) {
        Optional<String> machine = pod.pod().state().machine();
        if (machine.filter(up::contains).isEmpty()) {
            return;
        }
        container(pod.uid()).ifPresent(this::stop);
        setState(
                pod,
                state -> state.finished() ? state : state.ended(new PodView.Exit("Completed", Optional.of(0), "")));
        timeline.after(dice.between(5, 50), () -> still(pod).ifPresent(now -> api.delete(now.key(), 0)));
    }

    /** The pod is gone; its process must go, as soon as the kubelet can see to it. */
    private void endForgotten(Container container) {
        if (!silent.contains(container.machine()) && running.containsKey(container.podUid())) {
            stop(container);
        }
    }

    private void catchUp(Container container) {
        Optional<Stored> pod = api.get(container.pod()).filter(now -> now.uid().equals(container.podUid()));
        if (pod.isEmpty()) {
            timeline.after(dice.between(10, 1_000), () -> endForgotten(container));
        } else if (pod.get().terminating()) {
            timeline.after(dice.between(10, 1_000), () -> endTerminating(pod.get()));
        } else {
            setState(pod.get(), state -> state.ready(true));
        }
    }

    /** A pod whose container was not started yet, or ended unseen. */
    private void catchUpWithout(Stored pod, String machine) {
        if (pod.terminating()) {
            timeline.after(dice.between(10, 1_000), () -> endTerminating(pod));
        } else if (pod.pod().state().phase() == PodView.Phase.RUNNING) {
            setState(pod, state -> state.ended(new PodView.Exit("Error", Optional.of(137), "")));
        } else {
            timeline.after(dice.between(500, 4_000), () -> start(pod, machine));
        }
    }

    private void stop(Container container) {
        running.remove(container.podUid());
        containers.stop(container.ip());
        addresses.free(container.ip());
    }

    private void report(Container container, PodView.Exit exit) {
        if (silent.contains(container.machine()) || !up.contains(container.machine())) {
            return;
        }
        api.get(container.pod())
                .filter(now -> now.uid().equals(container.podUid()))
                .ifPresent(pod -> setState(pod, state -> state.finished() ? state : state.ended(exit)));
    }

    private void setState(Stored pod, java.util.function.UnaryOperator<Content.PodState> how) {
        api.change(pod.key(), pod.uid(), content -> {
            Content.Pod now = (Content.Pod) content;
            return now.with(how.apply(now.state()));
        });
    }
}
