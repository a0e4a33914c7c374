package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.declare.ConfigChain.Sourced;
import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Follows a ValkeyCluster's references to one effective wish. The custom resources' schemas refuse most bad values when they
 * are applied, but not what spans objects, and an older schema may be installed; so everything that a server would choke on,
 * or that would unmake what the operator relies on, is checked here again. All problems are told at once.
 */
public final class SpecResolver {

    /** Annotations under it are the operator's own. */
    public static final String RESERVED_PREFIX = "valkey.gomomento.com/";

    /** A pod is named {@code {cluster}-{5 hex}}, and a pod's name is a DNS label of 63 characters at most. */
    public static final int MAX_NAME_LENGTH = 57;

    /** Below this a container can't even be started around a valkey-server. */
    private static final long LEAST_MEMORY_BYTES = 16L << 20;

    private static final ServerVersion OLDEST = new ServerVersion(8, 0, 0);
    private static final ServerVersion FIRST_TOO_NEW = new ServerVersion(9, 2, 0);
    private static final Pattern CLUSTER_NAME = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern DIRECTIVE = Pattern.compile("[a-z0-9-]+");

    private final ClusterDeclaration declaration;
    private final Catalog catalog;
    private final Problems problems = new Problems();

    private SpecResolver(ClusterDeclaration declaration, Catalog catalog) {
        this.declaration = declaration;
        this.catalog = catalog;
    }

    /**
     * The effective wish, or every reason why there is none.
     *
     * @param declaration as its user wrote it
     * @param catalog what it refers to
     * @param defaultZoneSpread for a declaration that names none
     */
    public static Resolution resolve(ClusterDeclaration declaration, Catalog catalog, ZoneSpread defaultZoneSpread) {
        return new SpecResolver(declaration, catalog).resolve(defaultZoneSpread);
    }

    private Resolution resolve(ZoneSpread defaultZoneSpread) {
        checkCluster();
        Optional<ServerSpec> server =
                ConfigChain.follow(declaration.configRef(), catalog, problems).flatMap(this::server);
        List<AclUser> acl = new AccessRules(catalog, problems).resolve(declaration.acl());
        if (!problems.isEmpty() || server.isEmpty()) {
            return new Resolution.Unusable(problems.sentence());
        }
        Placement placement = new Placement(
                declaration.zones(),
                declaration.zoneSpread().orElse(defaultZoneSpread),
                declaration.nodeSelector(),
                declaration.tolerations());
        return new Resolution.Resolved(new ClusterSpec(
                declaration.key(),
                declaration.generation(),
                declaration.shards(),
                declaration.replicasPerShard(),
                server.get(),
                placement,
                acl,
                declaration.podAnnotations()));
    }

    private void checkCluster() {
        String name = declaration.key().name();
        if (name.length() > MAX_NAME_LENGTH || !CLUSTER_NAME.matcher(name).matches()) {
            problems.add("metadata.name is '" + name + "', allowed is up to " + MAX_NAME_LENGTH
                    + " lower-case letters, digits and '-', from a letter to a letter or digit");
        }
        if (declaration.tlsSecret().isPresent()) {
            problems.add("spec.tls is set, and this version of the operator does not serve TLS yet; it will not run the"
                    + " cluster in plain text instead");
        }
        if (declaration.shards() < 1 || declaration.shards() > SlotSet.COUNT) {
            problems.add("spec.shards is " + declaration.shards() + ", allowed is 1 to " + SlotSet.COUNT);
        }
        if (declaration.replicasPerShard() < 0) {
            problems.add("spec.replicasPerShard is " + declaration.replicasPerShard() + ", allowed is 0 or more");
        }
        for (String annotation : declaration.podAnnotations().keySet()) {
            if (annotation.startsWith(RESERVED_PREFIX)) {
                problems.add(
                        "spec.podAnnotations has '" + annotation + "', allowed is any prefix but " + RESERVED_PREFIX);
            }
        }
    }

    private Optional<ServerSpec> server(ConfigChain chain) {
        Optional<Catalog.Image> image = image(chain);
        Optional<ServerVersion> version = image.flatMap(found -> version(chain, found));
        Optional<Resources> resources = resources(chain);
        SortedMap<String, String> directives = directives(chain);
        resources.ifPresent(given -> checkMaxmemory(chain, given));
        if (image.isEmpty() || version.isEmpty() || resources.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ServerSpec(image.get().reference(), version.get(), resources.get(), directives));
    }

    private Optional<Catalog.Image> image(ConfigChain chain) {
        Optional<Sourced> imageRef = needed(chain, "imageRef", chain.imageRef());
        if (imageRef.isEmpty()) {
            return Optional.empty();
        }
        String name = imageRef.get().value();
        Catalog.Entry<Catalog.Image> entry = catalog.images().get(name);
        return switch (entry) {
            case null -> {
                problems.add("imageRef of " + in(imageRef.get()) + " is '" + name
                        + "', and there is no ValkeyImage of that name");
                yield Optional.empty();
            }
            case Catalog.Unusable<Catalog.Image>(String reason) -> {
                problems.add("ValkeyImage '" + name + "' can't be read: " + reason);
                yield Optional.empty();
            }
            case Catalog.Usable<Catalog.Image>(Catalog.Image image) -> Optional.of(image);
        };
    }

    private Optional<ServerVersion> version(ConfigChain chain, Catalog.Image image) {
        Optional<ServerVersion> version = parse(image.version())
                .filter(found -> found.compareTo(OLDEST) >= 0 && found.compareTo(FIRST_TOO_NEW) < 0);
        if (version.isEmpty()) {
            problems.add("version of ValkeyImage '"
                    + chain.imageRef().map(Sourced::value).orElse("") + "' is '" + image.version()
                    + "', allowed is 8.0.0 to 9.1.x, as major.minor.patch");
        }
        return version;
    }

    private static Optional<ServerVersion> parse(String version) {
        try {
            return Optional.of(ServerVersion.parse(version));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<Resources> resources(ConfigChain chain) {
        Optional<Sourced> cpu = needed(chain, "resources.cpu", chain.cpu()).filter(this::isCpu);
        Optional<Sourced> memory = needed(chain, "resources.memory", chain.memory());
        Optional<Long> bytes = memory.flatMap(this::memoryBytes);
        if (cpu.isEmpty() || memory.isEmpty() || bytes.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Resources(cpu.get().value(), memory.get().value(), bytes.get()));
    }

    private boolean isCpu(Sourced cpu) {
        boolean usable = Quantity.parse(cpu.value())
                .filter(amount -> amount.compareTo(BigDecimal.ZERO) > 0)
                .isPresent();
        if (!usable) {
            problems.add("resources.cpu of " + in(cpu) + " is '" + cpu.value()
                    + "', allowed is a quantity above 0, such as 500m or 2");
        }
        return usable;
    }

    private Optional<Long> memoryBytes(Sourced memory) {
        Optional<Long> bytes = Quantity.parseBytes(memory.value()).filter(amount -> amount >= LEAST_MEMORY_BYTES);
        if (bytes.isEmpty()) {
            problems.add("resources.memory of " + in(memory) + " is '" + memory.value()
                    + "', allowed is a quantity of 16Mi or more, such as 512Mi or 4Gi");
        }
        return bytes;
    }

    private SortedMap<String, String> directives(ConfigChain chain) {
        TreeMap<String, String> usable = new TreeMap<>();
        chain.directives().forEach((name, directive) -> {
            if (!DIRECTIVE.matcher(name).matches()) {
                problems.add("valkey of " + in(directive) + " has a directive that is no name: '"
                        + name.replaceAll("\\p{Cntrl}", "?") + "'");
            } else if (OwnedDirectives.owns(name)) {
                problems.add(
                        "valkey of " + in(directive) + " sets '" + name + "', which the operator keeps for itself");
            } else if (directive.value().chars().anyMatch(Character::isISOControl)) {
                problems.add("valkey of " + in(directive) + " sets '" + name
                        + "' to a value with a line break or another control character, allowed is one line of text");
            } else {
                // A line of the file that ends after the name lacks an argument.
                usable.put(name, directive.value().isBlank() ? "\"\"" : directive.value());
            }
        });
        return Check.sortedCopy(usable);
    }

    private void checkMaxmemory(ConfigChain chain, Resources resources) {
        Sourced maxmemory = chain.directives().get("maxmemory");
        if (maxmemory == null) {
            return;
        }
        long bytes = MemorySize.parseBytes(maxmemory.value()).orElse(-1L);
        if (bytes < 1 || bytes > resources.memoryBytes()) {
            problems.add("maxmemory of " + in(maxmemory) + " is '" + maxmemory.value()
                    + "', allowed is 1 byte to resources.memory (" + resources.memory() + " = "
                    + resources.memoryBytes()
                    + " bytes), such as 100mb; 0 would mean no limit");
        }
    }

    private Optional<Sourced> needed(ConfigChain chain, String field, Optional<Sourced> value) {
        if (value.isEmpty()) {
            problems.add(field + " is missing, set it in ValkeyConfig '" + String.join("' or '", chain.names()) + "'");
        }
        return value;
    }

    private static String in(Sourced value) {
        return "ValkeyConfig '" + value.config() + "'";
    }
}
