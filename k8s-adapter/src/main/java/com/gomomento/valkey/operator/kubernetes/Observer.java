package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Gone;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Present;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Snapshot;
import com.gomomento.valkey.operator.core.port.KubernetesPort.Undecodable;
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Puts together what the mirror has of one cluster; asks nobody, but for references that are missing there. Only what the cluster's UID controls counts, whatever other
 * objects are called or labelled (invariant S14). A member that can't be read makes the whole cluster undecodable: left out,
 * it would look like a lost one.
 */
final class Observer {

    private final Mirror mirror;
    private final LateReferences references;

    Observer(Mirror mirror, LateReferences references) {
        this.mirror = mirror;
        this.references = references;
    }

    Snapshot observe(ClusterKey key) {
        Optional<Cached<Readers.ClusterSeen>> cluster = mirror.clusters.get(ObjectName.of(key));
        return cluster.<Snapshot>map(found -> switch (found.value().declaration()) {
                    case Decoded.Usable<ClusterDeclaration>(ClusterDeclaration declaration) ->
                        present(declaration, found.value());
                    case Decoded.Unusable<ClusterDeclaration>(String sentence) -> new Undecodable(sentence);
                })
                .orElseGet(Gone::new);
    }

    private Snapshot present(ClusterDeclaration declaration, Readers.ClusterSeen seen) {
        String uid = declaration.uid();
        try {
            KubernetesView view = new KubernetesView(
                    members(mirror.nodes, uid),
                    members(mirror.pods, uid),
                    own(
                                    mirror.services,
                                    Names.service(declaration.key()),
                                    uid,
                                    service -> Optional.of(service.asMade()))
                            .orElse(false),
                    own(
                            mirror.configMaps,
                            Names.serverConfig(declaration.key()),
                            uid,
                            Readers.ConfigMapSeen::serverConfig),
                    own(mirror.secrets, Names.credentials(declaration.key()), uid, Readers.SecretSeen::credentials),
                    own(mirror.secrets, Names.access(declaration.key()), uid, Readers.SecretSeen::aclFile),
                    own(mirror.budgets, Names.disruptionBudget(declaration.key()), uid, Optional::of)
                            .map(Readers.BudgetSeen::minAvailable)
                            .orElse(OptionalInt.empty()));
            return new Present(declaration, references.catalogFor(declaration), view, seen.status());
        } catch (UnreadableMemberException e) {
            return new Undecodable(String.valueOf(e.getMessage()));
        }
    }

    private static <T> SortedMap<NodeName, T> members(KindCache<Decoded<T>> cache, String uid) {
        SortedMap<NodeName, T> members = new TreeMap<>();
        for (Cached<Decoded<T>> object : cache.ownedBy(uid)) {
            switch (object.value()) {
                case Decoded.Usable<T>(T value) ->
                    members.put(new NodeName(object.name().name()), value);
                case Decoded.Unusable<T>(String sentence) ->
                    throw new UnreadableMemberException(
                            cache.kind().kind() + " " + object.name().name() + ": " + sentence);
            }
        }
        return members;
    }

    private static <T, V> Optional<V> own(
            KindCache<T> cache, ObjectName name, String uid, Function<T, Optional<V>> part) {
        return cache.get(name).filter(object -> object.ownedBy(uid)).flatMap(object -> part.apply(object.value()));
    }

    /** Ends the reading of one cluster; never leaves this class. */
    private static final class UnreadableMemberException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnreadableMemberException(String sentence) {
            super(sentence);
        }
    }
}
