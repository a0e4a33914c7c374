package com.gomomento.valkey.operator.kubernetes.resource;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A custom resource as it came from the API server, in plain maps, lists, texts, numbers and booleans. Nothing of it is
 * checked yet.
 *
 * @param namespace {@code metadata.namespace}; empty for cluster-scoped kinds
 * @param name {@code metadata.name}
 * @param uid {@code metadata.uid}
 * @param generation {@code metadata.generation}, 0 if there is none
 * @param deleting whether {@code metadata.deletionTimestamp} is set
 * @param content {@code spec} and {@code status}; other fields are left out
 */
public record CustomObject(
        String namespace, String name, String uid, long generation, boolean deleting, Map<String, Object> content) {

    private static final Set<String> READ = Set.of("spec", "status");

    /** Copies what is read of the content: metadata may hold whole older versions of the object. */
    public CustomObject {
        Map<String, Object> read = new LinkedHashMap<>(content);
        read.keySet().retainAll(READ);
        content = Collections.unmodifiableMap(read);
    }
}
