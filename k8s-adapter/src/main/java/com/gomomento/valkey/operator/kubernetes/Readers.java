package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.kubernetes.resource.CustomObject;
import com.gomomento.valkey.operator.kubernetes.resource.Decoded;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;

/** What is kept of each kind. Only this goes into the mirror, so that the mirror stays small. */
final class Readers {

    private Readers() {}

    /**
     * A ValkeyCluster.
     *
     * @param declaration as its user wrote it
     * @param status as it was published
     * @param resource for the status writer, which keeps transition times
     */
    record ClusterSeen(
            Decoded<ClusterDeclaration> declaration, Optional<ClusterStatus> status, CustomObject resource) {}

    /** An operator-made Secret: one of the two, if it is whole. */
    record SecretSeen(Optional<Credentials> credentials, Optional<AclFile> aclFile) {}

    /** The ConfigMap's {@code valkey.conf}. */
    record ConfigMapSeen(Optional<String> serverConfig) {}

    /** Whether the Service is as it would be made now. */
    record ServiceSeen(boolean asMade) {}

    /** The PodDisruptionBudget's {@code minAvailable}; empty if anything about it is not as it would be made now. */
    record BudgetSeen(OptionalInt minAvailable) {}

    static ClusterSeen cluster(KubeObject object) {
        CustomObject resource = resource(object);
        return new ClusterSeen(ResourceDecoder.cluster(resource), ResourceDecoder.clusterStatus(resource), resource);
    }

    static Decoded<NodeRecord> node(KubeObject object) {
        return ResourceDecoder.node(resource(object));
    }

    static Catalog.Entry<Catalog.Config> config(KubeObject object) {
        return ResourceDecoder.config(resource(object));
    }

    static Catalog.Entry<Catalog.Image> image(KubeObject object) {
        return ResourceDecoder.image(resource(object));
    }

    static Catalog.Entry<Catalog.AccessRole> role(KubeObject object) {
        return ResourceDecoder.role(resource(object));
    }

    static ConfigMapSeen configMap(KubeObject object) {
        return new ConfigMapSeen(object.at("data").text(Names.CONFIG_KEY));
    }

    static SecretSeen secret(KubeObject object) {
        KubeObject data = object.at("data");
        Optional<Credentials> credentials = secretText(data, Names.OPERATOR_PASSWORD_KEY)
                .flatMap(operator -> secretText(data, Names.REPLICATION_PASSWORD_KEY)
                        .map(replication -> new Credentials(SecretText.of(operator), SecretText.of(replication))));
        Optional<AclFile> aclFile = secretText(data, Names.USERS_KEY)
                .flatMap(users ->
                        secretText(data, Names.REPLICATION_KEY).map(replication -> new AclFile(users, replication)));
        return new SecretSeen(credentials, aclFile);
    }

    static ServiceSeen service(KubeObject object) {
        return new ServiceSeen(OwnedObjects.isHeadlessService(object));
    }

    static BudgetSeen budget(KubeObject object) {
        Optional<Long> least = object.at("spec").number("minAvailable");
        return new BudgetSeen(
                least.isPresent() && OwnedObjects.isDisruptionBudget(object)
                        ? OptionalInt.of(least.get().intValue())
                        : OptionalInt.empty());
    }

    private static Optional<String> secretText(KubeObject data, String key) {
        try {
            return data.text(key)
                    .map(encoded -> new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8))
                    .filter(text -> !text.isBlank());
        } catch (IllegalArgumentException e) {
            // The API server takes no other coding than base64; should it ever, the key counts as missing.
            return Optional.empty();
        }
    }

    /** As the decoder of custom resources takes it, with the metadata that it reads. */
    private static CustomObject resource(KubeObject object) {
        KubeObject metadata = object.metadata();
        return new CustomObject(
                metadata.text("namespace").orElse(""),
                metadata.text("name").orElse(""),
                metadata.text("uid").orElse(""),
                metadata.number("generation").orElse(0L),
                object.terminating(),
                object.fields());
    }
}
