package com.gomomento.valkey.operator.sim.kubernetes;

import java.time.Instant;
import java.util.Optional;

/**
 * An object at one version.
 *
 * @param key where it is
 * @param uid {@code metadata.uid}; no two objects ever share one
 * @param version {@code metadata.resourceVersion}; grows with every write to any object
 * @param owner UID of the ValkeyCluster that controls it
 * @param createdAt {@code metadata.creationTimestamp}
 * @param terminating whether {@code metadata.deletionTimestamp} is set
 * @param content the rest
 */
public record Stored(
        ObjectKey key,
        String uid,
        long version,
        Optional<String> owner,
        Instant createdAt,
        boolean terminating,
        Content content) {

    Stored at(long newVersion, boolean nowTerminating, Content newContent) {
        return new Stored(key, uid, newVersion, owner, createdAt, nowTerminating, newContent);
    }

    /** Whether a reader of an operator's mirror would see no difference. */
    boolean looksLike(Stored other) {
        return uid.equals(other.uid)
                && owner.equals(other.owner)
                && terminating == other.terminating
                && content.equals(other.content);
    }

    /** Whether the ValkeyCluster with this UID controls it. */
    public boolean ownedBy(String clusterUid) {
        return owner.isPresent() && owner.get().equals(clusterUid);
    }

    /** Its content as a Pod's; only for Pods. */
    public Content.Pod pod() {
        return (Content.Pod) content;
    }

    /** Its content as a ValkeyCluster's; only for ValkeyClusters. */
    public Content.Cluster cluster() {
        return (Content.Cluster) content;
    }

    /** Its content as a ValkeyNode's; only for ValkeyNodes. */
    public Content.Node node() {
        return (Content.Node) content;
    }
}
