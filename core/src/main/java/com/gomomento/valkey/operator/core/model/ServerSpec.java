package com.gomomento.valkey.operator.core.model;

import java.util.SortedMap;

/**
 * What every member of a cluster runs.
 *
 * @param image full image reference, {@code repository:tag} or {@code repository@digest}
 * @param version the server inside
 * @param resources of each member
 * @param directives the user's own, merged over all bases; none that the operator manages
 */
public record ServerSpec(
        String image, ServerVersion version, Resources resources, SortedMap<String, String> directives) {

    /** Copies the directives. */
    public ServerSpec {
        Check.notBlank("image", image);
        directives = Check.sortedCopy(directives);
    }
}
