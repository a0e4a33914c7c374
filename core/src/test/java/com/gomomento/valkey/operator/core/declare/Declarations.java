package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.declare.Catalog.AccessRole;
import com.gomomento.valkey.operator.core.declare.Catalog.Config;
import com.gomomento.valkey.operator.core.declare.Catalog.Entry;
import com.gomomento.valkey.operator.core.declare.Catalog.Image;
import com.gomomento.valkey.operator.core.declare.Catalog.Unusable;
import com.gomomento.valkey.operator.core.declare.Catalog.Usable;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A declaration and a catalog that resolve as they are, for tests to change in one place and see what comes of it. */
final class Declarations {

    final SortedMap<String, Entry<Config>> configs = new TreeMap<>();
    final SortedMap<String, Entry<Image>> images = new TreeMap<>();
    final SortedMap<String, Entry<AccessRole>> roles = new TreeMap<>();

    String name = "orders";
    String configRef = "production";
    int shards = 3;
    int replicasPerShard = 1;
    List<UserDeclaration> acl = List.of();
    Optional<String> tlsSecret = Optional.empty();
    List<String> zones = List.of();
    Optional<ZoneSpread> zoneSpread = Optional.empty();
    SortedMap<String, String> nodeSelector = new TreeMap<>();
    List<Toleration> tolerations = List.of();
    SortedMap<String, String> podAnnotations = new TreeMap<>();

    Declarations() {
        image("valkey-9-1", "docker.io/valkey/valkey:9.1.2", "9.1.2");
        config("production", "", "valkey-9-1", "500m", "1Gi", Map.of());
    }

    Declarations image(String image, String reference, String version) {
        images.put(image, new Usable<>(new Image(reference, version)));
        return this;
    }

    /** Adds a ValkeyConfig, in which an empty text stands for none. */
    Declarations config(
            String config, String base, String image, String cpu, String memory, Map<String, String> directives) {
        configs.put(
                config,
                new Usable<>(new Config(some(base), some(image), some(cpu), some(memory), new TreeMap<>(directives))));
        return this;
    }

    /** The one ValkeyConfig with these directives. */
    Declarations directives(Map<String, String> directives) {
        return config("production", "", "valkey-9-1", "500m", "1Gi", directives);
    }

    Declarations unreadableConfig(String config, String reason) {
        configs.put(config, new Unusable<>(reason));
        return this;
    }

    Declarations role(String role, AccessRole value) {
        roles.put(role, new Usable<>(value));
        return this;
    }

    Resolution resolve() {
        return resolve(ZoneSpread.BEST_EFFORT);
    }

    Resolution resolve(ZoneSpread defaultZoneSpread) {
        ClusterDeclaration declaration = new ClusterDeclaration(
                new ClusterKey("shop", name),
                "1f0c",
                7,
                false,
                Optional.empty(),
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
                false);
        return SpecResolver.resolve(declaration, new Catalog(configs, images, roles), defaultZoneSpread);
    }

    private static Optional<String> some(String text) {
        return Optional.of(text).filter(value -> !value.isEmpty());
    }
}
