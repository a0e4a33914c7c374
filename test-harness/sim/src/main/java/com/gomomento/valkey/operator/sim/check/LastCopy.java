package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * S3: the operator never destroys the last copy of data; and what was acknowledged to a client, and was seen on two processes
 * (or on one where there are no replicas), is still there at the end unless faults ended every process that had it.
 *
 * <p>Replication is asynchronous: what only a primary had when it died is lost in the real engine, too, so it isn't counted.
 */
public final class LastCopy extends Invariant {

    private static final int COPIES = 2;

    /** What an operator has seen may be as old as its observation takes and its deed lasts. */
    private static final long UNSEEN_MILLIS = 3_000;

    private final Map<String, TreeMap<Long, Kept>> byCluster = new TreeMap<>();
    private final Map<String, Long> lastDeathMillis = new TreeMap<>();

    /** Of one key: the newest version that a client was told is there, and the newest that must survive. */
    private record Kept(long acknowledged, long safe) {}

    /** Knows of no write yet. */
    public LastCopy(Truth truth) {
        super("S3 Last copy", truth);
    }

    /** A client was told that a key was written. */
    public void acknowledged(String clusterUid, int slot, int key, long version) {
        byCluster
                .computeIfAbsent(clusterUid, _ -> new TreeMap<>())
                .merge(
                        (long) slot << 32 | key,
                        new Kept(version, 0),
                        (before, now) -> new Kept(now.acknowledged(), before.safe()));
    }

    @Override
    public void moment() {
        byCluster.keySet().removeIf(uid -> truth().cluster(uid).isEmpty());
        byCluster.forEach((uid, keys) -> {
            List<Roster.Instance> processes = truth().roster().existing(uid);
            int enough = truth().cluster(uid).orElseThrow().cluster().wish().replicasPerShard() == 0 ? 1 : COPIES;
            keys.replaceAll((name, kept) -> newestOwner(processes, (int) (name >>> 32))
                    .map(owner -> after(kept, name, owner, processes, enough))
                    .orElse(kept));
        });
    }

    /**
     * A write is safe once enough have it, its slot's owner among them. It is no more if the engine gave the slot to somebody
     * who reaches nobody that has the write: a majority elects without those who are cut off or stand still.
     */
    private Kept after(Kept kept, long name, Roster.Instance owner, List<Roster.Instance> processes, int enough) {
        long has = owner.server().keys().getOrDefault(name, 0L);
        if (kept.safe() < kept.acknowledged()
                && has >= kept.acknowledged()
                && holders(processes, name, kept.acknowledged()) >= enough) {
            return new Kept(kept.acknowledged(), kept.acknowledged());
        }
        boolean outOfReach = has < kept.safe()
                && processes.stream()
                        .filter(process -> process.server().keys().getOrDefault(name, 0L) >= kept.safe())
                        .noneMatch(process -> truth().network().reaches(owner.server(), process.server()));
        return outOfReach ? new Kept(kept.acknowledged(), has) : kept;
    }

    private static Optional<Roster.Instance> newestOwner(List<Roster.Instance> processes, int slot) {
        Roster.Instance newest = null;
        for (Roster.Instance process : processes) {
            boolean newer = newest == null
                    || process.server().configEpoch() > newest.server().configEpoch();
            if (newer && Truth.ownSlots(process.server()).contains(slot)) {
                newest = process;
            }
        }
        return Optional.ofNullable(newest);
    }

    private static long holders(List<Roster.Instance> processes, long name, long version) {
        return processes.stream()
                .filter(process -> process.server().keys().getOrDefault(name, 0L) >= version)
                .count();
    }

    @Override
    public void ending(Roster.Instance instance) {
        lastDeathMillis.put(instance.clusterUid(), truth().timeline().nowMillis());
        TreeMap<Long, Kept> keys = byCluster.get(instance.clusterUid());
        if (keys == null) {
            return;
        }
        List<Roster.Instance> others = others(instance);
        keys.replaceAll((name, kept) -> {
            if (kept.safe() == 0 || holders(others, name, kept.safe()) > 0) {
                return kept;
            }
            long best = others.stream()
                    .mapToLong(process -> process.server().keys().getOrDefault(name, 0L))
                    .max()
                    .orElse(0L);
            return new Kept(best, best);
        });
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        deleted(verb, before)
                .ifPresent(process ->
                        checkOthersHave(process, "deletes pod " + before.key().name()));
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (action instanceof ValkeyAction.Replicate) {
            truth().roster()
                    .find(server.id())
                    .ifPresent(process -> checkOthersHave(process, "makes " + process + " a replica of another"));
        }
    }

    private void checkOthersHave(Roster.Instance process, String deed) {
        long lastDeath = lastDeathMillis.getOrDefault(process.clusterUid(), Long.MIN_VALUE / 2);
        if (truth().timeline().nowMillis() - lastDeath < UNSEEN_MILLIS) {
            return;
        }
        Optional<TreeMap<Long, Kept>> keys = Optional.ofNullable(byCluster.get(process.clusterUid()));
        List<Roster.Instance> others = others(process);
        keys.ifPresent(all -> all.forEach((name, kept) -> check(
                kept.safe() == 0
                        || process.server().keys().getOrDefault(name, 0L) < kept.safe()
                        || holders(others, name, kept.safe()) > 0,
                "an operator " + deed + ", which has the last copy of a key in slot " + (name >>> 32))));
    }

    private List<Roster.Instance> others(Roster.Instance instance) {
        return truth().roster().existing(instance.clusterUid()).stream()
                .filter(other -> !other.equals(instance))
                .toList();
    }

    /** The end: every safe write can be read from the server that serves its slot. */
    public void atTheEnd() {
        byCluster.forEach((uid, keys) -> keys.forEach((name, kept) -> {
            int slot = (int) (name >>> 32);
            long found = truth().roster().existing(uid).stream()
                    .filter(process -> Truth.ownSlots(process.server()).contains(slot))
                    .mapToLong(process -> process.server().keys().getOrDefault(name, 0L))
                    .max()
                    .orElse(0L);
            check(
                    found >= kept.safe(),
                    "a key in slot " + slot + " has version " + found + ", and version " + kept.safe()
                            + " was acknowledged and safe");
        }));
    }
}
