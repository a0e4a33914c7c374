package com.gomomento.valkey.operator.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.gomomento.valkey.operator.core.declare.Catalog;
import com.gomomento.valkey.operator.core.declare.OwnedDirectives;
import com.gomomento.valkey.operator.core.declare.SpecResolver;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds the shipped schemas and the code against each other. What the API server makes of them is tested on a real one. */
class SchemaTest {

    /** What the schemas have and this version does not read: written for people, or for a later version. */
    private static final List<String> NOT_READ = List.of(
            "spec.autoscaling.",
            "status.ready",
            "status.selector",
            "status.conditions[0].lastTransitionTime",
            "status.conditions[0].observedGeneration",
            "status.utilization.");

    /** One of everything. */
    static final ClusterStatus STATUS = new ClusterStatus(
            ClusterState.ACTIVE,
            "",
            1,
            List.of(new ClusterStatus.Condition("Ready", true, "Ready", "")),
            1,
            List.of(new ClusterStatus.Node(
                    new NodeName("a-00000"), new ShardId(0), Optional.of(Role.PRIMARY), Lifecycle.ACTIVE, true)),
            1,
            1,
            16384,
            Optional.of("9.1.2"),
            "a.b.svc.cluster.local:6379");

    @Test
    void hasOneFileAKind() throws IOException {
        try (Stream<Path> files = Files.list(Schema.FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Arrays.stream(ValkeyKind.values())
                            .map(kind -> kind.plural() + ".yaml")
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesTheKindAsTheCodeDoes(ValkeyKind kind) {
        JsonNode spec = Schema.of(kind).definition().path("spec");

        assertThat(spec.path("group").asText()).isEqualTo(ValkeyKind.GROUP);
        assertThat(spec.path("scope").asText()).isEqualTo(kind.namespaced() ? "Namespaced" : "Cluster");
        assertThat(spec.at("/names/kind").asText()).isEqualTo(kind.kind());
        assertThat(spec.at("/names/plural").asText()).isEqualTo(kind.plural());
        assertThat(spec.path("versions")).hasSize(1);
        assertThat(spec.at("/versions/0/name").asText()).isEqualTo(ValkeyKind.VERSION);
    }

    @ParameterizedTest
    @CsvSource({
        "CLUSTER, 'State, Shards, Replicas, Ready, Version, Age', 'Config, Message'",
        "NODE, 'Cluster, Shard, Role, Lifecycle, IP, Age', ''",
        "IMAGE, 'Repository, Tag, Version, Age', 'Digest'",
        "CONFIG, 'Base, Image, CPU, Memory, Age', ''",
        "ROLE, 'Age', ''",
    })
    void printsTheseColumns(ValkeyKind kind, String always, String wide) {
        assertThat(columns(kind, 0)).isEqualTo(always);
        assertThat(columns(kind, 1)).isEqualTo(wide);
    }

    @ParameterizedTest
    @EnumSource
    void describesEveryField(ValkeyKind kind) {
        Schema schema = Schema.of(kind);

        assertThat(schema.sections())
                .contains("spec")
                .allSatisfy(section -> assertThat(schema.undescribed(section)).isEmpty());
    }

    @Test
    void allowsTheWordsThatTheCodeKnows() {
        Schema cluster = Schema.of(ValkeyKind.CLUSTER);
        Schema node = Schema.of(ValkeyKind.NODE);
        Schema role = Schema.of(ValkeyKind.ROLE);

        assertThat(cluster.words("spec.acl[0].permissions[0].keys[0].access")).isEqualTo(Words.KEY_ACCESS.keySet());
        assertThat(cluster.words("spec.placement.zoneSpread")).isEqualTo(Words.ZONE_SPREAD.keySet());
        assertThat(cluster.words("status.state")).isEqualTo(Words.STATES.keySet());
        assertThat(cluster.words("status.nodes[0].role")).isEqualTo(Words.ROLES.keySet());
        assertThat(cluster.words("status.nodes[0].lifecycle")).isEqualTo(Words.LIFECYCLES.keySet());
        assertThat(cluster.words("status.conditions[0].status")).containsAll(Words.CONDITION_STATUS.keySet());
        assertThat(node.words("status.role")).isEqualTo(Words.ROLES.keySet());
        assertThat(node.words("status.lifecycle")).isEqualTo(Words.LIFECYCLES.keySet());
        assertThat(role.words("spec.categories[0].access")).isEqualTo(Words.RULE_ACCESS.keySet());
        assertThat(role.words("spec.commands[0].access")).isEqualTo(Words.RULE_ACCESS.keySet());
    }

    @Test
    void refusesTheDirectivesThatTheCodeRefuses() {
        SortedSet<String> owned = new TreeSet<>(OwnedDirectives.NAMES);
        OwnedDirectives.PREFIXES.forEach(prefix -> owned.add(prefix + ".*"));

        List<SortedSet<String>> lists = Pattern.compile("\\(\\?i\\)\\^\\(([^()]+)\\)\\$")
                .matcher(Schema.of(ValkeyKind.CONFIG).text())
                .results()
                .map(match ->
                        (SortedSet<String>) new TreeSet<>(List.of(match.group(1).split("[|]"))))
                .toList();

        // Once in the rule and once in its message.
        assertThat(lists).isEqualTo(List.of(owned, owned));
    }

    @Test
    void reservesWhatTheCodeReserves() {
        String text = Schema.of(ValkeyKind.CLUSTER).text();

        assertThat(text)
                .contains("''" + InternalUsers.OPERATOR + "'', ''" + InternalUsers.REPLICATION + "''")
                .contains("!name.startsWith('" + SpecResolver.RESERVED_PREFIX + "')")
                .contains("self.metadata.name.size() <= " + SpecResolver.MAX_NAME_LENGTH);
    }

    /** Each field in turn is given a value of a wrong type: whoever reads it says so. */
    @ParameterizedTest
    @EnumSource
    void readsEveryFieldOfTheSchema(ValkeyKind kind) {
        Schema schema = Schema.of(kind);
        List<String> leaves = schema.sections().stream()
                .flatMap(section -> schema.leaves(section).keySet().stream())
                .filter(path -> NOT_READ.stream().noneMatch(path::startsWith))
                .toList();

        assertThat(problem(kind, full(schema))).isEmpty();
        assertThat(leaves).isNotEmpty();
        for (String path : leaves) {
            CustomObject resource = full(schema);
            putWrongType(resource, path);
            assertThat(problem(kind, resource))
                    .as(path)
                    .hasValueSatisfying(sentence -> assertThat(sentence).startsWith(path + " is a list, allowed is "));
        }
    }

    @Test
    void writesOnlyFieldsOfTheSchema() {
        Map<String, Object> cluster = ResourceEncoder.clusterStatus(
                STATUS, full(Schema.of(ValkeyKind.CLUSTER)), Instant.parse("2026-11-30T12:00:00Z"));
        cluster.putAll(ResourceEncoder.formed(Instant.EPOCH));
        Map<String, Object> node = ResourceEncoder.nodeStatus(new NodeRecord.Status(
                Lifecycle.ACTIVE,
                Optional.of(Role.PRIMARY),
                Optional.of("uid"),
                Optional.of("10.0.0.1"),
                Optional.of(new NodeId("a".repeat(40)))));
        Map<String, Object> spec =
                ResourceEncoder.nodeSpec("a", new ShardId(0), 0, Optional.of(new NodeName("a-00001")));

        assertThat(paths("status", cluster)).isEqualTo(known(ValkeyKind.CLUSTER, "status"));
        assertThat(paths("status", node))
                .isEqualTo(known(ValkeyKind.NODE, "status").stream()
                        .filter(path -> !path.startsWith("status.utilization."))
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(paths("spec", spec)).isEqualTo(known(ValkeyKind.NODE, "spec"));
    }

    private static String columns(ValkeyKind kind, int priority) {
        List<String> names = new ArrayList<>();
        for (JsonNode column : Schema.of(kind).version().path("additionalPrinterColumns")) {
            if (column.path("priority").asInt() == priority) {
                names.add(column.path("name").asText());
            }
        }
        return String.join(", ", names);
    }

    private static CustomObject full(Schema schema) {
        Map<String, Object> content = new TreeMap<>();
        for (String section : schema.sections()) {
            content.put(section, schema.example(section));
        }
        return new CustomObject("b", "a", "u", 1, false, content);
    }

    static Optional<String> problem(ValkeyKind kind, CustomObject resource) {
        return switch (kind) {
            case CLUSTER -> {
                Optional<String> spec = sentence(ResourceDecoder.cluster(resource));
                yield spec.isPresent() ? spec : sentence(ResourceDecoder.readClusterStatus(resource));
            }
            case NODE -> {
                Optional<String> node = sentence(ResourceDecoder.node(resource));
                yield node.isEmpty()
                                && ResourceDecoder.clusterNameOfNode(resource).isEmpty()
                        ? Optional.of("spec.clusterName is a list, allowed is text")
                        : node;
            }
            case CONFIG -> sentence(ResourceDecoder.config(resource));
            case ROLE -> sentence(ResourceDecoder.role(resource));
            case IMAGE -> sentence(ResourceDecoder.image(resource));
        };
    }

    private static <T> Optional<String> sentence(Decoded<T> decoded) {
        return switch (decoded) {
            case Decoded.Usable<T> _ -> Optional.empty();
            case Decoded.Unusable<T>(String sentence) -> Optional.of(sentence);
        };
    }

    private static <T> Optional<String> sentence(Catalog.Entry<T> entry) {
        return switch (entry) {
            case Catalog.Usable<T> _ -> Optional.empty();
            case Catalog.Unusable<T>(String sentence) -> Optional.of(sentence);
        };
    }

    private static void putWrongType(CustomObject resource, String path) {
        Object at = resource.content();
        List<String> steps = Pattern.compile("[^.\\[\\]]+")
                .matcher(path)
                .results()
                .map(MatchResult::group)
                .toList();
        for (String step : steps.subList(0, steps.size() - 1)) {
            at = child(at, step);
        }
        put(at, steps.getLast());
    }

    private static Object child(Object parent, String step) {
        return switch (parent) {
            case Map<?, ?> map -> Optional.<Object>ofNullable(map.get(step)).orElseThrow();
            case List<?> list -> list.get(Integer.parseInt(step));
            default -> throw new AssertionError("nothing is under " + step);
        };
    }

    @SuppressWarnings("unchecked") // made by Schema.example
    private static void put(Object parent, String step) {
        switch (parent) {
            case Map<?, ?> map -> ((Map<String, Object>) map).put(step, List.of());
            case List<?> list -> ((List<Object>) list).set(Integer.parseInt(step), List.of());
            default -> throw new AssertionError("nothing is under " + step);
        }
    }

    private static SortedSet<String> known(ValkeyKind kind, String section) {
        return new TreeSet<>(Schema.of(kind).leaves(section).keySet());
    }

    private static SortedSet<String> paths(String path, Map<String, Object> json) {
        SortedSet<String> paths = new TreeSet<>();
        collect(path, Serialization.unmarshal(Serialization.asJson(json), JsonNode.class), paths);
        return paths;
    }

    private static void collect(String path, JsonNode json, SortedSet<String> paths) {
        if (json.isObject()) {
            json.properties().forEach(field -> collect(path + "." + field.getKey(), field.getValue(), paths));
        } else if (json.isArray()) {
            for (int index = 0; index < json.size(); index++) {
                collect(path + "[" + index + "]", json.path(index), paths);
            }
        } else {
            paths.add(path);
        }
    }
}
