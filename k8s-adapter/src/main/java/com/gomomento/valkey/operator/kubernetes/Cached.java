package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import java.util.Optional;

/**
 * What is kept of one object.
 *
 * @param name where it is found
 * @param uid tells it from an earlier object of the same name
 * @param resourceVersion its version; compared as a number, which Kubernetes guarantees since 1.35 and always did
 * @param owner the ValkeyCluster that controls it
 * @param value what was read from it
 */
record Cached<T>(ObjectName name, String uid, String resourceVersion, Optional<Owner> owner, T value) {

    /** A ValkeyCluster, as an owner reference names it. */
    record Owner(String uid, String name) {}

    static <T> Cached<T> of(KubeObject object, T value) {
        Optional<Owner> owner = owner(object);
        return new Cached<>(object.objectName(), object.uid(), object.resourceVersion(), owner, value);
    }

    /** The ValkeyCluster that controls {@code object}; other owners have no say. */
    static Optional<Owner> owner(KubeObject object) {
        return object.metadata().objects("ownerReferences").stream()
                .filter(reference -> reference.flag("controller"))
                .filter(reference -> reference.text("kind").equals(Optional.of(ValkeyKind.CLUSTER.kind())))
                .filter(reference -> reference.text("apiVersion").orElse("").startsWith(ValkeyKind.GROUP + "/"))
                .map(reference -> new Owner(
                        reference.text("uid").orElse(""), reference.text("name").orElse("")))
                .findFirst();
    }

    boolean ownedBy(String clusterUid) {
        return owner.isPresent() && owner.get().uid().equals(clusterUid);
    }

    /** Whether a reader of the mirror would see no difference. */
    boolean looksLike(Cached<T> other) {
        return uid.equals(other.uid) && owner.equals(other.owner) && value.equals(other.value);
    }

    /** Whether this is the same state as {@code other} or a later one. */
    boolean reaches(Cached<T> other) {
        return resourceVersion.equals(other.resourceVersion) || isLater(resourceVersion, other.resourceVersion);
    }

    private static boolean isLater(String one, String other) {
        try {
            return Long.compareUnsigned(Long.parseUnsignedLong(one), Long.parseUnsignedLong(other)) > 0;
        } catch (NumberFormatException e) {
            // Not Kubernetes' own store: then what is heard last is taken for the latest.
            return true;
        }
    }
}
