package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cluster-scoped objects that clusters refer to, by name.
 *
 * @param configs every ValkeyConfig
 * @param images every ValkeyImage
 * @param roles every ValkeyRole
 */
public record Catalog(
        SortedMap<String, Entry<Config>> configs,
        SortedMap<String, Entry<Image>> images,
        SortedMap<String, Entry<AccessRole>> roles) {

    /** Copies its maps. */
    public Catalog {
        configs = Check.sortedCopy(configs);
        images = Check.sortedCopy(images);
        roles = Check.sortedCopy(roles);
    }

    /** One without roles, in which everything can be read. */
    public static Catalog of(Map<String, Config> configs, Map<String, Image> images) {
        return new Catalog(usable(configs), usable(images), new TreeMap<>());
    }

    private static <T> SortedMap<String, Entry<T>> usable(Map<String, T> values) {
        SortedMap<String, Entry<T>> entries = new TreeMap<>();
        values.forEach((name, value) -> entries.put(name, new Usable<>(value)));
        return entries;
    }

    /** An object of the catalog, or why it could not be read. */
    public sealed interface Entry<T> {}

    /** An object that was read. */
    public record Usable<T>(T value) implements Entry<T> {}

    /** An object that exists and could not be decoded, with the reason. */
    public record Unusable<T>(String reason) implements Entry<T> {}

    /**
     * A ValkeyConfig.
     *
     * @param baseRef the ValkeyConfig that this one inherits from
     * @param imageRef name of a ValkeyImage
     * @param cpu quantity
     * @param memory quantity
     * @param directives {@code spec.valkey}, values as text
     */
    public record Config(
            Optional<String> baseRef,
            Optional<String> imageRef,
            Optional<String> cpu,
            Optional<String> memory,
            SortedMap<String, String> directives) {

        /** Copies the directives. */
        public Config {
            directives = Check.sortedCopy(directives);
        }
    }

    /**
     * A ValkeyImage.
     *
     * @param reference {@code repository:tag} or {@code repository@digest}
     * @param version version of the server inside, as declared
     */
    public record Image(String reference, String version) {

        /** Refuses blank values. */
        public Image {
            Check.notBlank("reference", reference);
            Check.notBlank("version", version);
        }
    }

    /**
     * A ValkeyRole, in the order in which its rules apply: categories, then commands.
     *
     * @param categories ACL categories without the {@code @}
     * @param commands commands, or {@code command|subcommand}
     */
    public record AccessRole(List<AccessRule> categories, List<AccessRule> commands) {

        /** Copies its lists. */
        public AccessRole {
            categories = List.copyOf(categories);
            commands = List.copyOf(commands);
        }
    }

    /** A category or command, allowed or denied. */
    public record AccessRule(String name, boolean allow) {

        /** Refuses a blank name. */
        public AccessRule {
            Check.notBlank("name", name);
        }
    }
}
