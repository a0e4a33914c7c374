package example.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The example works, and {@code docs/EMBEDDING.md} shows nothing but pieces of it. */
class SimulationTest {

    private static final Path PAGE = Path.of("../../docs/EMBEDDING.md");
    private static final Path SOURCES = Path.of("src/main/java/example/embedding");

    private final Simulation simulation = new Simulation();

    private List<MemoryValkey.Server> alive() {
        return simulation.valkey.servers.values().stream()
                .filter(server -> server.alive)
                .toList();
    }

    private void assertWhole() {
        assertThat(alive()).hasSize(6);
        SlotSet served = SlotSet.EMPTY;
        for (MemoryValkey.Server server : alive()) {
            assertThat(server.knows)
                    .containsExactlyInAnyOrderElementsOf(
                            alive().stream().map(other -> other.id).toList());
            assertThat(served.intersects(server.slots)).isFalse();
            served = served.plus(server.slots);
        }
        assertThat(served).isEqualTo(SlotSet.ALL);
        List<MemoryValkey.Server> primaries =
                alive().stream().filter(server -> server.role() == Role.PRIMARY).toList();
        assertThat(primaries).hasSize(3);
        for (MemoryValkey.Server primary : primaries) {
            assertThat(alive().stream().filter(server -> server.primary.equals(Optional.of(primary.id))))
                    .hasSize(1);
        }
        assertThat(simulation.kubernetes.pods).hasSize(6);
    }

    @Test
    void aClusterIsFormedAndADeadReplicaReplaced() {
        simulation.runUntilAllIsWell();
        assertWhole();
        simulation.killAReplica();
        assertThat(alive()).hasSize(5);
        simulation.runUntilAllIsWell();
        assertWhole();
        assertThat(simulation.valkey.servers).hasSize(7);
    }

    @Test
    void thePageShowsWhatTheSimulationPrints() throws IOException {
        simulation.runUntilAllIsWell();
        simulation.killAReplica();
        simulation.runUntilAllIsWell();
        assertThat(blocks("text")).containsExactly(String.join("\n", simulation.told));
    }

    @Test
    void theSnippetsOfThePageStandInTheExample() throws IOException {
        String sources;
        try (Stream<Path> files = Files.list(SOURCES)) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.sorted().toList()) {
                all.append(Files.readString(file)).append('\n');
            }
            sources = flat(all.toString());
        }
        List<String> snippets = blocks("java");
        assertThat(snippets).isNotEmpty();
        assertThat(snippets).allSatisfy(snippet -> assertThat(sources).contains(flat(snippet)));
    }

    private static List<String> blocks(String language) throws IOException {
        List<String> blocks = new ArrayList<>();
        Pattern.compile("(?ms)^```" + language + "\n(.*?)\n```$")
                .matcher(Files.readString(PAGE))
                .results()
                .forEach(found -> blocks.add(found.group(1)));
        return blocks;
    }

    /** Without the indentation, which is another on the page. */
    private static String flat(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
