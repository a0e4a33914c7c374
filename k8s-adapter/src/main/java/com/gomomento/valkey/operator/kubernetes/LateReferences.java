package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.References;
import com.gomomento.valkey.operator.core.declare.References.Reference;
import java.util.HashSet;
import java.util.Set;

/**
 * Looks at the API server for objects that a cluster refers to and the mirror does not have. Each kind has a watch of its own,
 * so the news of a ValkeyConfig may come after that of the cluster that was made just after it: called missing, it would make
 * the cluster Invalid for a moment.
 */
final class LateReferences {

    private final ApiServer api;
    private final Mirror mirror;

    LateReferences(ApiServer api, Mirror mirror) {
        this.api = api;
        this.mirror = mirror;
    }

    /** The catalog, with all that the cluster refers to and that can be found. */
    Catalog catalogFor(ClusterDeclaration cluster) {
        Catalog catalog = mirror.catalog();
        Set<Reference> asked = new HashSet<>();
        boolean found = true;
        while (found) {
            found = false;
            for (Reference reference : References.missing(cluster, catalog)) {
                found |= asked.add(reference) && look(reference);
            }
            catalog = found ? mirror.catalog() : catalog;
        }
        return catalog;
    }

    private boolean look(Reference reference) {
        ResourceKind kind = kind(reference.kind());
        Answer answer = api.get(kind.path(new ObjectName("", reference.name())));
        boolean there = answer instanceof Answer.Reply reply && reply.successful();
        if (there) {
            mirror.of(kind).written(((Answer.Reply) answer).body(), System.nanoTime());
        }
        return there;
    }

    private static ResourceKind kind(References.Kind kind) {
        return switch (kind) {
            case CONFIG -> ResourceKind.CONFIG;
            case IMAGE -> ResourceKind.IMAGE;
            case ROLE -> ResourceKind.ROLE;
        };
    }
}
