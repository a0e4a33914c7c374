package com.gomomento.valkey.operator.harness.crd;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One case of one fixture file, see the README beside the files.
 *
 * @param file the fixture's name
 * @param kind the custom resource
 * @param name of the object, if the case needs a certain one
 * @param before the spec with which the object exists already
 * @param spec to create or change to; absent in a case about the status
 * @param status to write through the subresource
 * @param expected what must come of it
 */
record Fixture(
        String file,
        ValkeyKind kind,
        Optional<String> name,
        Optional<Map<String, Object>> before,
        Optional<Map<String, Object>> spec,
        Optional<Map<String, Object>> status,
        Expected expected) {

    private static final Path FOLDER = Path.of("src", "test", "resources", "crd");

    /** What must come of a case. */
    sealed interface Expected {}

    /** The object is taken, and these fields stand in its spec afterwards. */
    record Accepted(Map<String, Object> stored) implements Expected {}

    /** It is refused at {@code field} with a text that contains {@code because} and not {@code unsaid}. */
    record Refused(String field, String because, Optional<String> unsaid) implements Expected {}

    /** Every case of every file. */
    static List<Fixture> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .flatMap(file -> load(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Fixture> load(Path path) {
        Map<String, Object> root = parse(path);
        String file = path.getFileName().toString().replace(".yaml", "");
        ValkeyKind kind = Arrays.stream(ValkeyKind.values())
                .filter(candidate -> candidate.kind().equals(root.get("kind")))
                .findFirst()
                .orElseThrow(() -> new AssertionError(file + " has no known kind"));
        Map<String, Object> base = map(root, "base").orElse(Map.of());
        List<Fixture> fixtures = new ArrayList<>();
        for (Map<String, Object> accepted : cases(root, "accepted")) {
            fixtures.add(of(
                    file,
                    kind,
                    base,
                    accepted,
                    new Accepted(map(accepted, "stored").orElse(Map.of()))));
        }
        for (Map<String, Object> refused : cases(root, "refused")) {
            fixtures.add(of(
                    file,
                    kind,
                    base,
                    refused,
                    new Refused(
                            text(refused, "field").orElseThrow(),
                            text(refused, "because").orElseThrow(),
                            text(refused, "unsaid"))));
        }
        return fixtures;
    }

    private static Fixture of(
            String file, ValkeyKind kind, Map<String, Object> base, Map<String, Object> fields, Expected expected) {
        return new Fixture(
                file,
                kind,
                text(fields, "name"),
                map(fields, "before").map(patch -> merged(base, patch)),
                map(fields, "spec").map(patch -> merged(base, patch)),
                map(fields, "status"),
                expected);
    }

    private static Map<String, Object> parse(Path path) {
        try {
            return asMap(Serialization.unmarshal("---\n" + Files.readString(path), Map.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a JSON merge patch: null removes. */
    private static Map<String, Object> merged(Map<String, Object> base, Map<String, Object> patch) {
        Map<String, Object> merged = new TreeMap<>(base);
        patch.forEach((name, value) -> {
            if (value == null) {
                merged.remove(name);
            } else {
                merged.put(name, value);
            }
        });
        return merged;
    }

    private static List<Map<String, Object>> cases(Map<String, Object> root, String name) {
        return root.get(name) instanceof List<?> list
                ? list.stream().map(Fixture::asMap).toList()
                : List.of();
    }

    private static Optional<Map<String, Object>> map(Map<String, Object> fields, String name) {
        return Optional.<Object>ofNullable(fields.get(name)).map(Fixture::asMap);
    }

    private static Optional<String> text(Map<String, Object> fields, String name) {
        return Optional.<Object>ofNullable(fields.get(name)).map(Object::toString);
    }

    @SuppressWarnings("unchecked") // YAML maps of these files have texts for keys
    static Map<String, Object> asMap(Object value) {
        return (Map<String, Object>) value;
    }

    /** The name under which the case is reported. */
    @Override
    public String toString() {
        String outcome = switch (expected) {
            case Accepted _ -> "accepted";
            case Refused(String field, String because, Optional<String> _) -> "refused at '" + field + "': " + because;
        };
        String what =
                name.map(text -> text + " ").orElse("") + spec.or(() -> status).orElse(Map.of());
        return file + " " + before.map(spec -> spec + " -> ").orElse("") + what + " is " + outcome;
    }
}
