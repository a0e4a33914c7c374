package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/** What a cluster refers to, directly or through the ValkeyConfigs that its own inherits from. */
public final class References {

    private References() {}

    /** Kinds of objects that are referred to. */
    public enum Kind {
        /** ValkeyConfig. */
        CONFIG,
        /** ValkeyImage. */
        IMAGE,
        /** ValkeyRole. */
        ROLE
    }

    /** An object that is referred to. */
    public record Reference(Kind kind, String name) {
        /** Refuses a blank name. */
        public Reference {
            Check.notBlank("name", name);
        }
    }

    /**
     * References to objects that the catalog does not have. Whoever made the catalog from news that may be late can look for
     * these before a missing one is told; what they refer to in turn is missing here until they are found.
     */
    public static SequencedSet<Reference> missing(ClusterDeclaration cluster, Catalog catalog) {
        SequencedSet<Reference> missing = new LinkedHashSet<>();
        SequencedSet<String> chain = new LinkedHashSet<>();
        Optional<String> next = Optional.of(cluster.configRef());
        while (next.isPresent() && chain.add(next.get())) {
            Optional<Catalog.Config> config = Optional.empty();
            switch (catalog.configs().get(next.get())) {
                case null -> missing.add(new Reference(Kind.CONFIG, next.get()));
                case Catalog.Unusable<Catalog.Config> ignored -> {
                    // It is there, whatever is in it.
                }
                case Catalog.Usable<Catalog.Config>(Catalog.Config found) -> config = Optional.of(found);
            }
            config.flatMap(Catalog.Config::imageRef)
                    .filter(image -> !catalog.images().containsKey(image))
                    .ifPresent(image -> missing.add(new Reference(Kind.IMAGE, image)));
            next = config.flatMap(Catalog.Config::baseRef);
        }
        cluster.acl().stream()
                .flatMap(user -> user.permissions().stream())
                .map(UserDeclaration.Permission::roleRef)
                .filter(role -> !catalog.roles().containsKey(role))
                .forEach(role -> missing.add(new Reference(Kind.ROLE, role)));
        return missing;
    }
}
