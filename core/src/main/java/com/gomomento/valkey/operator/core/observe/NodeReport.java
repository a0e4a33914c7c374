package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.Role;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What asking one member's valkey-server gave. */
public sealed interface NodeReport {

    /** It was not asked: it has no address yet, or its process has ended. */
    record NotAsked() implements NodeReport {}

    /** It was asked and gave no usable answer. That says nothing of whether it is alive (invariant S5). */
    record Unreachable(Reason reason, String detail) implements NodeReport {

        /** Kinds of silence, told apart by a probe of the socket. */
        public enum Reason {
            /** Connection refused: nothing listens. */
            REFUSED,
            /** No answer in time. */
            TIMEOUT,
            /** The server speaks, but refused the operator's login. */
            AUTHENTICATION,
            /** The server speaks, and is loading its data set. */
            LOADING,
            /** Anything else, see the detail. */
            OTHER
        }
    }

    /**
     * It answered.
     *
     * @param id its own id
     * @param version {@code valkey_version} of INFO
     * @param role its own role ({@code INFO replication})
     * @param replication of a replica: its link
     * @param offset own replication offset
     * @param clusterOk {@code cluster_state:ok}
     * @param currentEpoch {@code cluster_current_epoch}
     * @param view its {@code CLUSTER NODES}, itself included
     * @param migrations atomic slot migrations that it takes or took part in; none on a server before 9.0
     * @param memory how full it is
     * @param directives what it runs with, in its own words by name, of those that it was asked for
     */
    record Reachable(
            NodeId id,
            String version,
            Role role,
            Optional<ReplicaLink> replication,
            ReplicationOffset offset,
            boolean clusterOk,
            long currentEpoch,
            Beliefs view,
            List<SlotMigration> migrations,
            MemoryUse memory,
            SortedMap<String, String> directives)
            implements NodeReport {

        /** Checks that the node itself stands in its view. */
        public Reachable {
            migrations = List.copyOf(migrations);
            directives = Check.sortedCopy(directives);
            if (!view.lists(id)) {
                throw new IllegalArgumentException("node " + id + " is not in its own view");
            }
        }

        /** Its own line. */
        public MemberBelief self() {
            return view.of(id).orElseThrow();
        }
    }

    /**
     * A replica's link to its primary.
     *
     * @param up {@code master_link_status:up}: the initial sync is done and the stream flows
     * @param syncing a full synchronisation is under way
     * @param primaryHost address that it replicates from
     */
    record ReplicaLink(boolean up, boolean syncing, String primaryHost) {}

    /**
     * How full a server is.
     *
     * @param usedBytes of data, 0 or more: what counts against {@code maxmemory}
     * @param maxBytes {@code maxmemory}; 0 when there is no limit
     */
    record MemoryUse(long usedBytes, long maxBytes) {

        /** Refuses negative sizes. */
        public MemoryUse {
            Check.atLeast("memory in use", 0, usedBytes);
            Check.atLeast("maxmemory", 0, maxBytes);
        }
    }
}
