package com.gomomento.valkey.operator.core.model;

import java.util.List;
import java.util.SortedMap;

/**
 * The effective wish for one cluster, with every reference resolved.
 *
 * @param key whose wish it is
 * @param generation the {@code metadata.generation} that asked for it
 * @param shards 1 to 16384
 * @param replicasPerShard 0 or more
 * @param server what members run
 * @param placement where they may run
 * @param acl client users; empty leaves the default user open
 * @param podAnnotations verbatim on every pod
 */
public record ClusterSpec(
        ClusterKey key,
        long generation,
        int shards,
        int replicasPerShard,
        ServerSpec server,
        Placement placement,
        List<AclUser> acl,
        SortedMap<String, String> podAnnotations) {

    /** Checks ranges and copies its collections. */
    public ClusterSpec {
        Check.that(shards >= 1 && shards <= SlotSet.COUNT, "shards is " + shards + ", allowed is 1 to 16384");
        Check.atLeast("replicasPerShard", 0, replicasPerShard);
        acl = List.copyOf(acl);
        podAnnotations = Check.sortedCopy(podAnnotations);
    }

    /** The same wish with other directives. */
    public ClusterSpec withDirectives(SortedMap<String, String> directives) {
        return withServer(new ServerSpec(server.image(), server.version(), server.resources(), directives));
    }

    /** The same wish for members that run something else. */
    public ClusterSpec withServer(ServerSpec other) {
        return new ClusterSpec(key, generation, shards, replicasPerShard, other, placement, acl, podAnnotations);
    }

    /** Members of each shard: its primary and its replicas. */
    public int membersPerShard() {
        return 1 + replicasPerShard;
    }

    /** Members of the whole cluster. */
    public int members() {
        return shards * membersPerShard();
    }

    /** DNS name under which all members are found. */
    public String endpointHost() {
        return key.name() + "." + key.namespace() + ".svc.cluster.local";
    }
}
