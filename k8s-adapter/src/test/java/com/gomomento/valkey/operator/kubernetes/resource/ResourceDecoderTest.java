package com.gomomento.valkey.operator.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.Catalog.AccessRule;
import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.declare.UserDeclaration;
import com.gomomento.valkey.operator.core.declare.UserDeclaration.KeyAccess;
import com.gomomento.valkey.operator.core.declare.UserDeclaration.KeyPattern;
import com.gomomento.valkey.operator.core.declare.UserDeclaration.Permission;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceDecoderTest {

    private static final String HASH = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    private static final String FULL_CLUSTER = """
            metadata:
              name: orders
              namespace: shop
              uid: 1f0c
              generation: 7
              deletionTimestamp: "2026-11-30T12:00:00Z"
            spec:
              configRef: production
              shards: 3
              replicasPerShard: 2
              acl:
              - username: app
                passwordHashes: [%s]
                permissions:
                - roleRef: readers
                  keys:
                  - {pattern: "cache:*", access: read}
                  - {pattern: "queue:*", access: readwrite}
                  channels: ["news.*"]
              tls:
                secretRef: orders-tls
              placement:
                zones: [a, b]
                zoneSpread: required
                nodeSelector: {disk: fast}
                tolerations:
                - {key: dedicated, operator: Equal, value: cache, effect: NoExecute, tolerationSeconds: 0}
              podAnnotations: {team: shop}
              paused: true
            status:
              formedAt: "2026-11-30T11:00:00Z"
            """.formatted(HASH);

    @Test
    void readsEveryFieldOfACluster() {
        ClusterDeclaration declaration = usable(ResourceDecoder.cluster(yaml(FULL_CLUSTER)));

        assertThat(declaration)
                .isEqualTo(new ClusterDeclaration(
                        new ClusterKey("shop", "orders"),
                        "1f0c",
                        7,
                        true,
                        Optional.of(Instant.parse("2026-11-30T11:00:00Z")),
                        "production",
                        3,
                        2,
                        List.of(new UserDeclaration(
                                "app",
                                List.of(HASH),
                                List.of(new Permission(
                                        "readers",
                                        List.of(
                                                new KeyPattern("cache:*", KeyAccess.READ),
                                                new KeyPattern("queue:*", KeyAccess.READWRITE)),
                                        List.of("news.*"))))),
                        Optional.of("orders-tls"),
                        List.of("a", "b"),
                        Optional.of(ZoneSpread.REQUIRED),
                        new TreeMap<>(Map.of("disk", "fast")),
                        List.of(new Toleration(
                                Optional.of("dedicated"),
                                Optional.of("Equal"),
                                Optional.of("cache"),
                                Optional.of("NoExecute"),
                                OptionalLong.of(0))),
                        new TreeMap<>(Map.of("team", "shop")),
                        true));
    }

    @Test
    void takesAbsentAndNullFieldsForTheirDefaults() {
        ClusterDeclaration declaration = usable(ResourceDecoder.cluster(yaml("""
                metadata: {name: orders, namespace: shop, uid: 1f0c}
                spec: {configRef: production, shards: 1, acl: null, placement: null, aFieldOfALaterVersion: 1}
                """)));

        assertThat(declaration.replicasPerShard()).isZero();
        assertThat(declaration.generation()).isZero();
        assertThat(declaration.deleting()).isFalse();
        assertThat(declaration.formedAt()).isEmpty();
        assertThat(declaration.acl()).isEmpty();
        assertThat(declaration.tlsSecret()).isEmpty();
        assertThat(declaration.zoneSpread()).isEmpty();
        assertThat(declaration.paused()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            shards: three                    | spec.shards is text, allowed is a whole number
            shards: 1.5                      | spec.shards is a fraction, allowed is a whole number
            shards: 3000000000               | spec.shards is 3000000000, allowed is -2147483648 to 2147483647
            replicasPerShard: true           | spec.replicasPerShard is true or false, allowed is a whole number
            paused: "no"                     | spec.paused is text, allowed is true or false
            configRef: 7                     | spec.configRef is a whole number, allowed is text
            configRef: ""                    | spec.configRef is missing
            tls: {}                          | spec.tls.secretRef is missing
            acl: {}                          | spec.acl is an object, allowed is a list
            acl: [app]                       | spec.acl[0] is text, allowed is an object
            acl: [{username: a}, {}]         | spec.acl[1].username is missing
            placement: {zones: [a, 2]}       | spec.placement.zones[1] is a whole number, allowed is text
            placement: {zoneSpread: evenly}  | spec.placement.zoneSpread is 'evenly', allowed is one of bestEffort, required
            podAnnotations: {team: 4}        | spec.podAnnotations.team is a whole number, allowed is text
            """)
    void saysWhyAClusterCannotBeRead(String field, String sentence) {
        CustomObject resource = yaml("""
                metadata: {name: orders, namespace: shop, uid: 1f0c}
                spec: {configRef: production, shards: 1}
                """);
        resource = Manifests.with(resource, "spec", Manifests.map(field));

        assertThat(unusable(ResourceDecoder.cluster(resource))).isEqualTo(sentence);
    }

    @Test
    void neverTakesAnUnreadableFormationTimeForNone() {
        String sentence = unusable(ResourceDecoder.cluster(yaml("""
                metadata: {name: orders, namespace: shop, uid: 1f0c}
                spec: {configRef: production, shards: 1}
                status: {formedAt: yesterday}
                """)));

        assertThat(sentence)
                .isEqualTo("status.formedAt is 'yesterday', allowed is a time such as 2026-11-30T12:00:00Z");
    }

    @Test
    void showsNoValueOfAWrongTypeBecauseItCouldBeACredential() {
        String sentence = unusable(ResourceDecoder.cluster(yaml("""
                metadata: {name: orders, namespace: shop, uid: 1f0c}
                spec: {configRef: production, shards: 1, acl: [{username: app, passwordHashes: [12345678]}]}
                """)));

        assertThat(sentence).isEqualTo("spec.acl[0].passwordHashes[0] is a whole number, allowed is text");
    }

    @Test
    void readsAConfigWhoseDirectivesAreNumbersAndBooleans() {
        Catalog.Entry<Catalog.Config> config = ResourceDecoder.config(yaml("""
                metadata: {name: production}
                spec:
                  baseRef: base
                  imageRef: valkey-9
                  resources: {cpu: 2, memory: 4Gi}
                  valkey:
                    maxmemory-policy: allkeys-lru
                    hz: 20
                    appendonly: no
                    lazyfree-lazy-eviction: yes
                    active-defrag-threshold: 0.5
                """));

        assertThat(config)
                .isEqualTo(new Catalog.Usable<>(new Catalog.Config(
                        Optional.of("base"),
                        Optional.of("valkey-9"),
                        Optional.of("2"),
                        Optional.of("4Gi"),
                        new TreeMap<>(Map.of(
                                "maxmemory-policy", "allkeys-lru",
                                "hz", "20",
                                "appendonly", "no",
                                "lazyfree-lazy-eviction", "yes",
                                "active-defrag-threshold", "0.5")))));
    }

    @Test
    void spellsBooleansAsTheServerDoes() {
        CustomObject resource = yaml("{metadata: {name: production}}");
        resource = Manifests.with(
                resource, "spec", Map.of("valkey", Map.of("appendonly", true, "activerehashing", false)));

        assertThat(ResourceDecoder.config(resource))
                .isEqualTo(new Catalog.Usable<>(new Catalog.Config(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        new TreeMap<>(Map.of("appendonly", "yes", "activerehashing", "no")))));
    }

    @Test
    void saysWhyAConfigCannotBeRead() {
        assertThat(ResourceDecoder.config(yaml("{metadata: {name: c}, spec: {valkey: {save: [900, 1]}}}")))
                .isEqualTo(
                        new Catalog.Unusable<>("spec.valkey.save is a list, allowed is text, a number, true or false"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tag: "9.1.2"                     | docker.io/valkey/valkey:9.1.2
            digest: sha256:abc               | docker.io/valkey/valkey@sha256:abc
            {tag: "9.1.2", digest: sha256:a} | docker.io/valkey/valkey@sha256:a
            """)
    void readsAnImageByTagOrDigest(String fields, String reference) {
        CustomObject resource = yaml("""
                metadata: {name: valkey-9}
                spec: {repository: docker.io/valkey/valkey, version: 9.1.2}
                """);
        resource = Manifests.with(resource, "spec", Manifests.map(fields));

        assertThat(ResourceDecoder.image(resource))
                .isEqualTo(new Catalog.Usable<>(new Catalog.Image(reference, "9.1.2")));
    }

    @Test
    void refusesAnImageWithoutTagAndDigest() {
        assertThat(ResourceDecoder.image(yaml("{metadata: {name: i}, spec: {repository: r, version: 9.1.2}}")))
                .isEqualTo(new Catalog.Unusable<>("spec has neither tag nor digest, needed is one of them"));
    }

    @Test
    void readsARole() {
        assertThat(ResourceDecoder.role(yaml("""
                metadata: {name: readers}
                spec:
                  categories: [{name: read, access: allow}, {name: dangerous, access: deny}]
                  commands: [{name: config|get, access: allow}]
                """)))
                .isEqualTo(new Catalog.Usable<>(new Catalog.AccessRole(
                        List.of(new AccessRule("read", true), new AccessRule("dangerous", false)),
                        List.of(new AccessRule("config|get", true)))));
    }

    @Test
    void saysWhyARoleCannotBeRead() {
        assertThat(ResourceDecoder.role(yaml("{metadata: {name: r}, spec: {commands: [{name: get, access: maybe}]}}")))
                .isEqualTo(new Catalog.Unusable<>("spec.commands[0].access is 'maybe', allowed is one of allow, deny"));
    }

    @Test
    void readsANode() {
        CustomObject resource = yaml("""
                metadata: {name: orders-0a1b2, namespace: shop, uid: 77aa}
                spec: {clusterName: orders, shard: 2, ordinal: 1, replaces: orders-ffff0}
                status:
                  lifecycle: Leaving
                  role: replica
                  podUID: 99bb
                  podIP: 10.244.0.9
                  nodeId: 0123456789012345678901234567890123456789
                  utilization: {cpuPercent: 12}
                """);
        resource = Manifests.with(resource, "status", Map.of("nodeId", "0123456789".repeat(4)));

        assertThat(usable(ResourceDecoder.node(resource)))
                .isEqualTo(new NodeRecord(
                        new NodeName("orders-0a1b2"),
                        "77aa",
                        false,
                        new ShardId(2),
                        1,
                        Optional.of(new NodeName("orders-ffff0")),
                        new NodeRecord.Status(
                                Lifecycle.LEAVING,
                                Optional.of(Role.REPLICA),
                                Optional.of("99bb"),
                                Optional.of("10.244.0.9"),
                                Optional.of(new NodeId("0123456789".repeat(4))))));
        assertThat(ResourceDecoder.clusterNameOfNode(resource)).contains("orders");
    }

    @Test
    void takesANodeWithoutStatusForOneJustWrittenDown() {
        NodeRecord node = usable(ResourceDecoder.node(yaml(
                "{metadata: {name: orders-0a1b2, uid: 77aa}, spec: {clusterName: orders, shard: 0, ordinal: 0}}")));

        assertThat(node.status()).isEqualTo(NodeRecord.Status.NEW);
        assertThat(node.replaces()).isEmpty();
    }

    @Test
    void turnsWhatTheCoreRefusesIntoASentence() {
        assertThat(unusable(ResourceDecoder.node(
                        yaml("{metadata: {name: a.b, uid: u}, spec: {clusterName: orders, shard: 0, ordinal: 0}}"))))
                .isEqualTo("'a.b' is no name of a member");
        assertThat(unusable(ResourceDecoder.node(
                        yaml("{metadata: {name: a, uid: u}, spec: {clusterName: o, shard: -1, ordinal: 0}}"))))
                .isEqualTo("shard index is -1, allowed is 0 or more");
        assertThat(ResourceDecoder.clusterNameOfNode(yaml("{metadata: {name: a, uid: u}}")))
                .isEmpty();
    }

    @Test
    void saysSoWhenThereIsNoMetadata() {
        assertThat(unusable(ResourceDecoder.cluster(yaml("{spec: {configRef: c, shards: 1}}"))))
                .isEqualTo("namespace is blank");
        assertThat(unusable(ResourceDecoder.cluster(
                        yaml("{metadata: {name: a, namespace: b}, spec: {configRef: c, shards: 1}}"))))
                .isEqualTo("uid is blank");
    }

    private static CustomObject yaml(String text) {
        return Manifests.object(text);
    }

    private static <T> T usable(Decoded<T> decoded) {
        return switch (decoded) {
            case Decoded.Usable<T>(T value) -> value;
            case Decoded.Unusable<T>(String sentence) -> throw new AssertionError(sentence);
        };
    }

    private static <T> String unusable(Decoded<T> decoded) {
        return switch (decoded) {
            case Decoded.Usable<T>(T value) -> throw new AssertionError("was read: " + value);
            case Decoded.Unusable<T>(String sentence) -> sentence;
        };
    }
}
