package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What docs/LOGGING.md tells users is true: each example on the page is tried. */
class LoggingPageTest {

    private static final Path PAGE = Path.of("..", "docs", "LOGGING.md");
    private static final String REF = "ValkeyCluster.v1alpha1.valkey.gomomento.com/";

    /** {@code `LEVEL target`}, perhaps followed by {@code in `NAME.NAMESPACE`} or {@code with `FIELD`}. */
    private static final Pattern EVENT =
            Pattern.compile("`(ERROR|WARN|INFO|DEBUG|TRACE) ([^`]+)`(?: in `([^`]+)`)?(?: with `([^`]+)`)?");

    @TempDir
    private Path folder = Path.of(".");

    record Row(List<String> cells) {
        String directives() {
            return cells.getFirst().replaceAll("^`|`$", "");
        }

        @Override
        public String toString() {
            return directives();
        }
    }

    static Stream<Row> examples() throws IOException {
        return rows("| `RUST_LOG` | means | lets through | holds back |");
    }

    static Stream<Row> refusals() throws IOException {
        return rows("| `RUST_LOG` | on standard error |");
    }

    @ParameterizedTest(name = "RUST_LOG=''{0}''")
    @MethodSource("examples")
    void letsThroughAndHoldsBackWhatThePageSays(Row row) {
        List<String> ignored = new ArrayList<>();
        RustLogFilter filter = RustLogFilter.parse(row.directives(), ignored::add);
        assertThat(ignored).isEmpty();

        List<MatchResult> passing = events(row.cells().get(2));
        List<MatchResult> stopped = events(row.cells().get(3));
        assertThat(passing).as("lets through").allMatch(event -> passes(filter, event));
        assertThat(stopped).as("holds back").noneMatch(event -> passes(filter, event));
        assertThat(passing.size() + stopped.size()).isPositive();
    }

    @ParameterizedTest(name = "RUST_LOG=''{0}''")
    @MethodSource("refusals")
    void refusesWithTheWordsOnThePage(Row row) {
        List<String> ignored = new ArrayList<>();
        RustLogFilter filter = RustLogFilter.parse(row.directives(), ignored::add);
        assertThat(ignored).containsExactly(row.cells().get(1).replaceAll("^``|``$", ""));
        assertThat(filter.maxLevel()).as("the other parts hold").isEqualTo(LevelFilter.INFO);
    }

    @Test
    void hasNoOtherExampleThatWouldBeRefused() throws IOException {
        List<String> ignored = new ArrayList<>();
        List<String> examples = Pattern.compile("RUST_LOG=([^\\s`]+)")
                .matcher(Files.readString(PAGE))
                .results()
                .map(example -> example.group(1))
                .toList();
        examples.forEach(example -> RustLogFilter.parse(example, ignored::add));
        assertThat(examples).hasSize(3);
        assertThat(ignored).isEmpty();
    }

    @Test
    void showsALineAsItIs() throws IOException {
        String shown = Files.readString(PAGE)
                .lines()
                .filter(line -> line.startsWith("{\"timestamp\""))
                .findFirst()
                .orElseThrow();
        LogCapture capture = LogCapture.install("info");
        logActiveTick("my-cluster.my-app");
        assertThat(capture.line().toString().replaceFirst("\"timestamp\":\"[^\"]+\"", ""))
                .isEqualTo(shown.replaceFirst("\"timestamp\":\"[^\"]+\"", ""));
    }

    @Test
    void jqFindsLinesAsThePageSays() throws IOException, InterruptedException {
        assertThat(jqIsThere())
                .as("jq is on the path; it is missing, and this test needs it: apt-get install jq")
                .isTrue();
        LogCapture capture = LogCapture.install("info");
        logActiveTick("my-cluster.my-app");
        logActiveTick("other.my-app");
        LoggerFactory.getLogger("operator.controller.acl").info("ACL reconcile tick");
        LoggerFactory.getLogger("io.fabric8").warn("slow", new IllegalStateException("x"));
        StringBuilder log = new StringBuilder();
        capture.lines().forEach(line -> log.append(line).append('\n'));
        Files.writeString(folder.resolve("log"), log);

        List<String> commands = Files.readString(PAGE)
                .lines()
                .filter(line -> line.startsWith("jq "))
                .toList();
        assertThat(commands).hasSize(4);
        for (String command : commands) {
            assertThat(run(command)).as(command).hasLineCount(1);
        }
        Files.writeString(folder.resolve("log"), "ignoring `x`: plain text\n" + log);
        assertThat(run(commands.getLast())).hasLineCount(1);
    }

    private static boolean jqIsThere() throws InterruptedException {
        try {
            return new ProcessBuilder("jq", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private String run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectInput(folder.resolve("log").toFile())
                .redirectOutput(folder.resolve("found").toFile())
                .redirectError(folder.resolve("complaints").toFile())
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(folder.resolve("complaints")).isEmptyFile();
        return Files.readString(folder.resolve("found"));
    }

    private static void logActiveTick(String object) {
        Logger controller = LoggerFactory.getLogger("operator.controller");
        Spans.in(
                reconcile(object),
                () -> controller
                        .atInfo()
                        .addKeyValue("cluster_name", object.substring(0, object.indexOf('.')))
                        .addKeyValue("shards", 3)
                        .addKeyValue("nodes", 6)
                        .log("active tick"));
    }

    private static Span reconcile(String object) {
        return Span.of(Level.INFO, "operator::controller", "reconciling object")
                .with("object.ref", REF + object)
                .with("object.reason", "object updated");
    }

    private static boolean passes(RustLogFilter filter, MatchResult event) {
        Set<String> fields = event.group(4) == null ? Set.of("message") : Set.of("message", event.group(4));
        SpanContext spans =
                event.group(3) == null ? SpanContext.NONE : SpanContext.NONE.child(reconcile(event.group(3)));
        return filter.enabled(event.group(2), Level.valueOf(event.group(1)), fields::contains, spans);
    }

    private static List<MatchResult> events(String cell) {
        assertThat(cell.replaceAll(EVENT.pattern() + "(, )?", ""))
                .as("cell is understood")
                .isBlank();
        return EVENT.matcher(cell).results().toList();
    }

    private static Stream<Row> rows(String header) throws IOException {
        List<Row> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.equals(header)) {
                inside = true;
            } else if (!line.startsWith("|")) {
                inside = false;
            } else if (inside && !line.startsWith("|---")) {
                String[] cells = line.substring(1).split("\\|", -1);
                rows.add(new Row(Arrays.stream(cells)
                        .limit(cells.length - 1L)
                        .map(String::strip)
                        .toList()));
            }
        }
        assertThat(rows).isNotEmpty();
        return rows.stream();
    }
}
