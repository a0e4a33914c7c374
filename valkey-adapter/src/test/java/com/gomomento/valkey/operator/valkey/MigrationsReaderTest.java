package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationsReaderTest {

    private static final String SOURCE = "a".repeat(40);
    private static final String TARGET = "b".repeat(40);

    /** As 9.1 prints it, shortened. */
    private static final List<String> EXPORT = List.of(
            "name",
            "c".repeat(40),
            "operation",
            "EXPORT",
            "slot_ranges",
            "0-5 9-9",
            "target_node",
            TARGET,
            "source_node",
            SOURCE,
            "create_time",
            "1796082690",
            "state",
            "waiting-to-snapshot",
            "message",
            "");

    private static Reply entry(List<String> words) {
        return new Reply.Items(words.stream().<Reply>map(Reply.Text::new).toList());
    }

    private static List<SlotMigration> read(Reply... entries) throws MalformedReply {
        return MigrationsReader.read(new Reply.Items(List.of(entries)));
    }

    private static Reply with(String name, String value) {
        List<String> words = new ArrayList<>(EXPORT);
        words.set(words.indexOf(name) + 1, value);
        return entry(words);
    }

    private static Reply without(String... names) {
        List<String> words = new ArrayList<>(EXPORT);
        Stream.of(names).forEach(name -> {
            int at = words.indexOf(name);
            words.subList(at, at + 2).clear();
        });
        return entry(words);
    }

    @Test
    void readsAnEntryAndWhetherItHasEnded() throws MalformedReply {
        List<SlotMigration> migrations = read(entry(EXPORT), with("operation", "IMPORT"), with("state", "failed"));
        assertThat(migrations.getFirst())
                .isEqualTo(new SlotMigration(
                        true,
                        SlotSet.of(List.of(new SlotRange(0, 5), new SlotRange(9, 9))),
                        new NodeId(SOURCE),
                        new NodeId(TARGET),
                        true,
                        "waiting-to-snapshot",
                        ""));
        assertThat(migrations).extracting(SlotMigration::outgoing).containsExactly(true, false, true);
        assertThat(migrations).extracting(SlotMigration::active).containsExactly(true, true, false);
    }

    @Test
    void passesOverWhatAReplicaTellsOfItsPrimary() throws MalformedReply {
        assertThat(read(without("source_node", "target_node"), entry(EXPORT))).hasSize(1);
    }

    @Test
    void findsNoneOnAServerThatDoesNotKnowTheCommand() throws MalformedReply {
        assertThat(MigrationsReader.read(
                        new Reply.Refusal("ERR unknown subcommand 'GETSLOTMIGRATIONS'. Try CLUSTER HELP.")))
                .isEmpty();
    }

    @Test
    void takesNoOtherRefusalForNoMigration() {
        assertThatThrownBy(() -> MigrationsReader.read(new Reply.Refusal("NOPERM User has no permissions")))
                .isInstanceOf(MalformedReply.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"source_node", "target_node", "state", "operation", "slot_ranges", "message"})
    void refusesAnEntryWithoutAFieldThatItNeeds(String name) {
        assertThatThrownBy(() -> read(without(name)))
                .isInstanceOf(MalformedReply.class)
                .hasMessageContaining(name);
    }

    @Test
    void refusesWhatNoServerPrints() {
        for (Reply entry : List.of(
                with("slot_ranges", "0-5 x"),
                with("slot_ranges", "5-0"),
                with("slot_ranges", ""),
                with("operation", "MOVE"),
                with("source_node", "me"),
                entry(List.of("name")),
                new Reply.Text("name"))) {
            assertThatThrownBy(() -> read(entry)).as("%s", entry).isInstanceOf(MalformedReply.class);
        }
        assertThatThrownBy(() -> MigrationsReader.read(new Reply.Text("OK"))).isInstanceOf(MalformedReply.class);
    }
}
