package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything that is known of the world, kind by kind. */
final class Mirror {

    /** Target of what this module writes to the journal. */
    static final String TARGET = "operator.kubernetes";

    final KindCache<Readers.ClusterSeen> clusters = new KindCache<>(ResourceKind.CLUSTER, Readers::cluster);
    final KindCache<Decoded<NodeRecord>> nodes = new KindCache<>(ResourceKind.NODE, Readers::node);
    final KindCache<Catalog.Entry<Catalog.Config>> configs = new KindCache<>(ResourceKind.CONFIG, Readers::config);
    final KindCache<Catalog.Entry<Catalog.Image>> images = new KindCache<>(ResourceKind.IMAGE, Readers::image);
    final KindCache<Catalog.Entry<Catalog.AccessRole>> roles = new KindCache<>(ResourceKind.ROLE, Readers::role);
    final KindCache<Decoded<PodView>> pods = new KindCache<>(ResourceKind.POD, PodReader::read);
    final KindCache<Readers.ServiceSeen> services = new KindCache<>(ResourceKind.SERVICE, Readers::service);
    final KindCache<Readers.ConfigMapSeen> configMaps = new KindCache<>(ResourceKind.CONFIG_MAP, Readers::configMap);
    final KindCache<Readers.SecretSeen> secrets = new KindCache<>(ResourceKind.SECRET, Readers::secret);
    final KindCache<Readers.BudgetSeen> budgets = new KindCache<>(ResourceKind.DISRUPTION_BUDGET, Readers::budget);

    KindCache<?> of(ResourceKind kind) {
        return switch (kind) {
            case CLUSTER -> clusters;
            case NODE -> nodes;
            case CONFIG -> configs;
            case IMAGE -> images;
            case ROLE -> roles;
            case POD -> pods;
            case SERVICE -> services;
            case CONFIG_MAP -> configMaps;
            case SECRET -> secrets;
            case DISRUPTION_BUDGET -> budgets;
        };
    }

    SortedSet<ClusterKey> clusterKeys() {
        SortedSet<ClusterKey> keys = new TreeSet<>();
        clusters.all().forEach(cluster -> keys.add(key(cluster.name())));
        return keys;
    }

    /** The catalog as it is now. */
    Catalog catalog() {
        return new Catalog(byName(configs), byName(images), byName(roles));
    }

    /** The clusters that use a catalog object, directly or through the configs that theirs inherits from. */
    List<ClusterKey> usersOf(ResourceKind kind, String name) {
        Catalog catalog = catalog();
        return clusters.all().stream()
                .map(cluster -> cluster.value().declaration())
                .flatMap(declaration -> readable(declaration).stream())
                .filter(cluster -> uses(cluster, catalog, kind, name))
                .map(ClusterDeclaration::key)
                .toList();
    }

    static ClusterKey key(ObjectName name) {
        return new ClusterKey(name.namespace(), name.name());
    }

    private static boolean uses(ClusterDeclaration cluster, Catalog catalog, ResourceKind kind, String name) {
        if (kind == ResourceKind.ROLE) {
            return cluster.acl().stream()
                    .flatMap(user -> user.permissions().stream())
                    .anyMatch(permission -> permission.roleRef().equals(name));
        }
        SortedSet<String> chain = new TreeSet<>();
        Optional<String> next = Optional.of(cluster.configRef());
        // A cycle is refused elsewhere; here it only must not turn for ever.
        while (next.isPresent() && chain.add(next.get())) {
            Optional<Catalog.Config> config =
                    usable(Optional.ofNullable(catalog.configs().get(next.get())));
            if (kind == ResourceKind.IMAGE
                    && config.flatMap(Catalog.Config::imageRef).equals(Optional.of(name))) {
                return true;
            }
            next = config.flatMap(Catalog.Config::baseRef);
        }
        return kind == ResourceKind.CONFIG && chain.contains(name);
    }

    private static Optional<Catalog.Config> usable(Optional<Catalog.Entry<Catalog.Config>> entry) {
        return entry.flatMap(found -> switch (found) {
            case Catalog.Usable<Catalog.Config>(Catalog.Config value) -> Optional.of(value);
            case Catalog.Unusable<Catalog.Config> _ -> Optional.empty();
        });
    }

    private static Optional<ClusterDeclaration> readable(Decoded<ClusterDeclaration> decoded) {
        return switch (decoded) {
            case Decoded.Usable<ClusterDeclaration>(ClusterDeclaration value) -> Optional.of(value);
            case Decoded.Unusable<ClusterDeclaration> _ -> Optional.empty();
        };
    }

    private static <T> SortedMap<String, T> byName(KindCache<T> cache) {
        SortedMap<String, T> byName = new TreeMap<>();
        cache.all().forEach(object -> byName.put(object.name().name(), object.value()));
        return byName;
    }
}
