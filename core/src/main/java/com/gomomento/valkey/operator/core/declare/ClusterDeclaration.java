package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One ValkeyCluster as its user wrote it, with what Kubernetes and the operator noted on it.
 *
 * @param key namespace and name
 * @param uid {@code metadata.uid}; objects are ours only if they are owned by it (invariant S14)
 * @param generation {@code metadata.generation}
 * @param deleting whether {@code metadata.deletionTimestamp} is set
 * @param formedAt when its first slot was about to be claimed ({@code status.formedAt}); empty if it never served
 * @param configRef name of a ValkeyConfig
 * @param shards {@code spec.shards}
 * @param replicasPerShard {@code spec.replicasPerShard}
 * @param acl client users
 * @param tlsSecret name of the Secret in {@code spec.tls.secretRef}
 * @param zones {@code spec.placement.zones}
 * @param zoneSpread {@code spec.placement.zoneSpread}; empty takes the operator's default
 * @param nodeSelector {@code spec.placement.nodeSelector}
 * @param tolerations {@code spec.placement.tolerations}
 * @param podAnnotations {@code spec.podAnnotations}
 * @param paused observe and report, change nothing
 */
public record ClusterDeclaration(
        ClusterKey key,
        String uid,
        long generation,
        boolean deleting,
        Optional<Instant> formedAt,
        String configRef,
        int shards,
        int replicasPerShard,
        List<UserDeclaration> acl,
        Optional<String> tlsSecret,
        List<String> zones,
        Optional<ZoneSpread> zoneSpread,
        SortedMap<String, String> nodeSelector,
        List<Toleration> tolerations,
        SortedMap<String, String> podAnnotations,
        boolean paused) {

    /** Copies its collections. */
    public ClusterDeclaration {
        Check.notBlank("uid", uid);
        acl = List.copyOf(acl);
        zones = List.copyOf(zones);
        nodeSelector = Check.sortedCopy(nodeSelector);
        tolerations = List.copyOf(tolerations);
        podAnnotations = Check.sortedCopy(podAnnotations);
    }

    /** A new one that asks for this shape and nothing else. */
    public static ClusterDeclaration of(
            ClusterKey key, String uid, String configRef, int shards, int replicasPerShard) {
        return new ClusterDeclaration(
                key,
                uid,
                1,
                false,
                Optional.empty(),
                configRef,
                shards,
                replicasPerShard,
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Check.sortedCopy(Map.of()),
                List.of(),
                Check.sortedCopy(Map.of()),
                false);
    }

    /** The same with {@code status.formedAt}. */
    public ClusterDeclaration withFormedAt(Instant at) {
        return new ClusterDeclaration(
                key,
                uid,
                generation,
                deleting,
                Optional.of(at),
                configRef,
                shards,
                replicasPerShard,
                acl,
                tlsSecret,
                zones,
                zoneSpread,
                nodeSelector,
                tolerations,
                podAnnotations,
                paused);
    }
}
