package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is remembered of a cluster between two steps, in memory alone. It may be lost at any time: that makes the operator
 * slower or more talkative, never wrong.
 *
 * @param lastGood the last wish that resolved
 * @param refusals actions that were refused, by {@link Action#key()}
 * @param pending actions that were given and take a while to show, by {@link Action#key()}, with when they must have
 * @param endings pods that were seen to end or to be deleted, by name, with their UID; kept while their ValkeyNode is there
 * @param silentSince members that do not answer
 * @param crashes members that were lost soon after their start, by shard
 * @param unsettledSince since when something is not as wished; empty while all is well
 * @param moving slots that were to move when the present wish began to be carried out
 * @param said what was told in the journal since the last heartbeat, by subject
 * @param nextHeartbeat when the next signs of life are due
 */
public record Ledger(
        Optional<ClusterSpec> lastGood,
        SortedMap<String, Refusal> refusals,
        SortedMap<String, Instant> pending,
        SortedMap<NodeName, String> endings,
        SortedMap<NodeName, Instant> silentSince,
        SortedMap<ShardId, Crashes> crashes,
        Optional<Instant> unsettledSince,
        Optional<Moving> moving,
        SortedMap<String, String> said,
        Instant nextHeartbeat) {

    /** Of a cluster never seen before: heartbeats are due at once. */
    public static final Ledger EMPTY = new Ledger(
            Optional.empty(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            Optional.empty(),
            Optional.empty(),
            new TreeMap<>(),
            Instant.EPOCH);

    /** Copies its maps. */
    public Ledger {
        refusals = Check.sortedCopy(refusals);
        pending = Check.sortedCopy(pending);
        endings = Check.sortedCopy(endings);
        silentSince = Check.sortedCopy(silentSince);
        crashes = Check.sortedCopy(crashes);
        said = Check.sortedCopy(said);
    }

    /** The same ledger with what became of the actions of its step. */
    public Ledger withResults(Map<String, Refusal> refused, Map<String, Instant> given) {
        return new Ledger(
                lastGood,
                Check.sortedCopy(refused),
                Check.sortedCopy(given),
                endings,
                silentSince,
                crashes,
                unsettledSince,
                moving,
                said,
                nextHeartbeat);
    }

    /** The same ledger after a step that told only this. */
    Ledger withSaid(SortedMap<String, String> told, Instant heartbeat) {
        return new Ledger(
                lastGood, refusals, pending, endings, silentSince, crashes, unsettledSince, moving, told, heartbeat);
    }

    /**
     * A change of the number of shards under way.
     *
     * @param shards that are wished
     * @param slots that were to move in all, as far as is remembered
     */
    public record Moving(int shards, int slots) {}

    /**
     * An action that the other side refused.
     *
     * @param reason its words
     * @param retryAt not before then
     */
    public record Refusal(String reason, Instant retryAt) {}

    /**
     * Deaths in a shard, each soon after the start of the pod.
     *
     * @param count in a row, 1 or more
     * @param lastNode who died last
     * @param lastPodUid so that one death counts once
     * @param lastAt when the last one was noticed
     * @param lastWords how the last one ended, in Kubernetes' and the server's words
     * @param template what the dead pods were made from; deaths of other inputs don't count
     */
    public record Crashes(
            int count, NodeName lastNode, String lastPodUid, Instant lastAt, String lastWords, Fingerprint template) {
        /** Refuses no crash at all. */
        public Crashes {
            Check.atLeast("count", 1, count);
        }
    }
}
