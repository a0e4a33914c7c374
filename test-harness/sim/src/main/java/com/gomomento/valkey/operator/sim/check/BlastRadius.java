package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * S12: no planned failover and no deletion of a good pod while what an earlier one has begun is not over: the process is still
 * ending, or the shard that was handed over has no primary that all of its others are in sync with. And none that leaves less
 * than a majority of the primaries serving. Shards that leave, members too many or
 * without a copy, and clusters that own no slot yet have nothing to lose; they don't count.
 */
public final class BlastRadius extends Invariant {

    private static final long RECENT_MILLIS = 20_000;

    private final Map<String, Disruption> last = new TreeMap<>();

    /** UIDs of pods. */
    private final Set<String> deletedByOperator = new HashSet<>();

    /** The engine gives a planned failover up after that time. */
    private static final long HANDOVER_MILLIS = 5_000;

    /** What an operator did, to which shard of a cluster, when, and who is to take over, if somebody is. */
    private record Disruption(int shard, long atMillis, Optional<NodeId> heir) {}

    /** Looks at these models. */
    public BlastRadius(Truth truth) {
        super("S12 Blast radius", truth);
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        deleted(verb, before).ifPresent(process -> deletedByOperator.add(process.podUid()));
        deleted(verb, before)
                .filter(process ->
                        before.pod().state().ready() && process.server().answers())
                .ifPresent(process -> disrupt(
                        process, Optional.empty(), "deletes pod " + before.key().name()));
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        boolean planned = action instanceof ValkeyAction.Failover failover
                && failover.mode() == ValkeyAction.Failover.Mode.GRACEFUL;
        if (planned) {
            truth().roster()
                    .find(server.id())
                    .ifPresent(process -> disrupt(process, Optional.of(server.id()), "lets " + process + " take over"));
        }
    }

    @Override
    public void ending(Roster.Instance instance) {
        // What a fault does to a shard is not the operator's to wait for, nor is what a user does who deletes a pod.
        boolean byFault = !deletedByOperator.contains(instance.podUid());
        if (byFault) {
            last.remove(instance.clusterUid());
        }
    }

    private void disrupt(Roster.Instance process, Optional<NodeId> heir, String deed) {
        Optional<Stored> cluster = truth().cluster(process.clusterUid());
        if (cluster.isEmpty()
                || cluster.get().cluster().formedAt().isEmpty()
                || idle(process)
                || process.shard().index() >= cluster.get().cluster().wish().shards()
                || (heir.isEmpty() && surplus(cluster.get(), process))) {
            return;
        }
        long now = truth().timeline().nowMillis();
        Optional<Disruption> disturbed = Optional.ofNullable(last.get(process.clusterUid()))
                .filter(earlier -> now - earlier.atMillis() < RECENT_MILLIS)
                .filter(earlier -> earlier.shard() != process.shard().index());
        check(
                disturbed
                        .filter(earlier -> handsOver(earlier) || !settled(process.clusterUid(), earlier.shard()))
                        .isEmpty(),
                "an operator " + deed + " while shard "
                        + disturbed.map(Disruption::shard).orElse(0) + " is still disturbed");
        last.put(process.clusterUid(), new Disruption(process.shard().index(), now, heir));
        checkMajority(process, deed);
    }

    /** Whether a planned failover has been asked for and may still come about: until then its shard looks untouched. */
    private boolean handsOver(Disruption earlier) {
        return truth().timeline().nowMillis() - earlier.atMillis() < HANDOVER_MILLIS
                && earlier.heir()
                        .flatMap(truth().roster()::find)
                        .filter(heir -> heir.server().answers() && truth().podStays(heir) && !owns(heir))
                        .isPresent();
    }

    private boolean surplus(Stored cluster, Roster.Instance process) {
        var wish = cluster.cluster().wish();
        long members = truth().owned(Kind.POD, process.clusterUid()).stream()
                .filter(pod -> pod.pod().shard().equals(process.shard()) && !pod.terminating())
                .filter(pod -> !pod.pod().state().finished())
                .count();
        return members >= 1 + wish.replicasPerShard() && !owns(process);
    }

    /** Whether it owns nothing and has no copy that is kept up to date. */
    private boolean idle(Roster.Instance process) {
        return !owns(process)
                && truth().roster().existing(process.clusterUid()).stream()
                        .noneMatch(other -> process.server().inSyncWith(other.server()));
    }

    private static boolean owns(Roster.Instance process) {
        return !Truth.ownSlots(process.server()).isEmpty();
    }

    private List<Roster.Instance> shard(String clusterUid, int index) {
        return truth().roster().existing(clusterUid).stream()
                .filter(process -> process.shard().index() == index)
                .toList();
    }

    private boolean settled(String clusterUid, int index) {
        List<Roster.Instance> processes =
                shard(clusterUid, index).stream().filter(truth()::podStays).toList();
        Optional<Roster.Instance> primary = processes.stream()
                .filter(process -> process.server().answers() && owns(process))
                .findFirst();
        return primary.isPresent()
                && processes.stream()
                        .filter(process -> !process.equals(primary.get()))
                        .allMatch(process ->
                                process.server().inSyncWith(primary.get().server()));
    }

    private void checkMajority(Roster.Instance process, String deed) {
        int serving = 0;
        int owners = 0;
        for (Roster.Instance other : truth().roster().existing(process.clusterUid())) {
            if (owns(other) && truth().podStays(other)) {
                owners++;
                serving += other.server().serves().equals(SlotSet.EMPTY) ? 0 : 1;
            }
        }
        check(
                owners == 0 || 2 * serving > owners,
                "an operator " + deed + " while " + serving + " of " + owners + " primaries serve");
    }
}
