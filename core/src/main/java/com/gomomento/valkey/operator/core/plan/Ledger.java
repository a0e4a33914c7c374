package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

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
 * @param directives what servers said when they were told to set directives, by member, while that matters
 * @param doubt of a wish that was seen to fail and that no member runs with
 * @param wordedAt when nothing but the words of the status was written last
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
        SortedMap<NodeName, DirectivesAnswer> directives,
        Optional<Doubt> doubt,
        Instant wordedAt,
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
            Optional.empty(),
            Instant.EPOCH,
            new TreeMap<>(),
            Instant.EPOCH);

    /** Copies its maps. */
    public Ledger {
        refusals = Check.sortedCopy(refusals);
        pending = Check.sortedCopy(pending);
        endings = Check.sortedCopy(endings);
        silentSince = Check.sortedCopy(silentSince);
        crashes = Check.sortedCopy(crashes);
        directives = Check.sortedCopy(directives);
        said = Check.sortedCopy(said);
    }

    /** The same ledger with what became of the actions of its step. */
    public Ledger withResults(
            Map<String, Refusal> refused, Map<String, Instant> given, Map<NodeName, DirectivesAnswer> answered) {
        return new Ledger(
                lastGood,
                Check.sortedCopy(refused),
                Check.sortedCopy(given),
                endings,
                silentSince,
                crashes,
                unsettledSince,
                moving,
                Check.sortedCopy(answered),
                doubt,
                wordedAt,
                said,
                nextHeartbeat);
    }

    /** The same ledger after a step that told only this. */
    Ledger withSaid(SortedMap<String, String> told, Instant heartbeat) {
        return new Ledger(
                lastGood,
                refusals,
                pending,
                endings,
                silentSince,
                crashes,
                unsettledSince,
                moving,
                directives,
                doubt,
                wordedAt,
                told,
                heartbeat);
    }

    /**
     * A change of the number of shards under way.
     *
     * @param shards that are wished
     * @param slots that were to move in all, as far as is remembered
     */
    public record Moving(int shards, int slots) {}

    /**
     * A wish that was seen to fail.
     *
     * @param inputs what members were to be made from
     * @param why in Kubernetes' or the server's words
     * @param vain whether members can't be made from earlier inputs either, so that there is nothing better than the wish
     */
    public record Doubt(Fingerprint inputs, String why, boolean vain) {}

    /**
     * What a server said to new directives.
     *
     * @param changes that it was told
     * @param verdict what it made of them
     * @param told how it tells them now, by name, if it took them
     * @param refusal why, if it did not, in its own words
     */
    public record DirectivesAnswer(
            SortedMap<String, String> changes, Verdict verdict, SortedMap<String, String> told, String refusal) {

        private static final List<String> AT_START_ONLY =
                List.of("immutable config", "protected config", "Unknown option");

        /** What a server makes of new directives. */
        public enum Verdict {
            /** It runs with them. */
            TAKEN,
            /** It reads one of them only when it starts, and has set none. */
            AT_START_ONLY,
            /** It can't do anything with a value, and has set none. */
            REFUSED
        }

        /** Copies its map. */
        public DirectivesAnswer {
            changes = Check.sortedCopy(changes);
            told = Check.sortedCopy(told);
        }

        /** Of a server that runs with them. */
        public static DirectivesAnswer taken(SortedMap<String, String> changes, SortedMap<String, String> told) {
            return new DirectivesAnswer(changes, Verdict.TAKEN, told, "");
        }

        /**
         * What a server meant that said no to {@code CONFIG SET}. Empty if it was not about the directives.
         *
         * @param words its own
         */
        public static Optional<DirectivesAnswer> refused(SortedMap<String, String> changes, String words) {
            if (AT_START_ONLY.stream().anyMatch(words::contains)) {
                return Optional.of(new DirectivesAnswer(changes, Verdict.AT_START_ONLY, new TreeMap<>(), words));
            }
            return words.contains("CONFIG SET failed")
                    ? Optional.of(new DirectivesAnswer(changes, Verdict.REFUSED, new TreeMap<>(), words))
                    : Optional.empty();
        }
    }

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
     * @param count in a row, 1 or more; members that die in one step count as one
     * @param lastNode who died last
     * @param deadPodUids pods that are counted and still there, so that each death counts once
     * @param lastAt when the last one was noticed
     * @param lastWords how the last one ended, in Kubernetes' and the server's words
     * @param template what the dead pods were made from; deaths of other inputs don't count
     */
    public record Crashes(
            int count,
            NodeName lastNode,
            SortedSet<String> deadPodUids,
            Instant lastAt,
            String lastWords,
            Fingerprint template) {
        /** Refuses no crash at all; copies the set. */
        public Crashes {
            Check.atLeast("count", 1, count);
            deadPodUids = Collections.unmodifiableSortedSet(new TreeSet<>(deadPodUids));
        }
    }
}
