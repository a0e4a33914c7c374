package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodesTableTest {

    private static final String A = "a".repeat(40);
    private static final String B = "b".repeat(40);
    private static final String C = "c".repeat(40);
    private static final String OWN = A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected 0-99 101\n";

    private static NodesTable parse(String text) throws MalformedReply {
        return NodesTable.parse(text, new NodesTable.Known());
    }

    private static MemberBelief last(NodesTable table) {
        return List.copyOf(table.view().all()).getLast();
    }

    @Test
    void readsWhatItPrinted() throws MalformedReply {
        for (long seed = 0; seed < 400; seed++) {
            TableGenerator generator = new TableGenerator(seed);
            NodesTable table = generator.table();
            assertThat(parse(generator.print(table))).as("seed %d", seed).isEqualTo(table);
        }
    }

    @Test
    void nodesThatBelieveTheSameShareOneView() throws MalformedReply {
        NodesTable.Known known = new NodesTable.Known();
        String first = A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected 0-99\n" + B
                + " 10.0.0.2:6379@16379 slave " + A + " 17 18 3 connected\n";
        String second = B + " 10.0.0.2:6379@16379 myself,slave " + A + " 0 0 3 connected\n" + A
                + " 10.0.0.1:6379@16379 master - 0 25 3 connected 0-99\n";
        NodesTable one = NodesTable.parse(first, known);
        NodesTable other = NodesTable.parse(second, known);
        assertThat(other.view()).isSameAs(one.view());
        assertThat(other.self()).isEqualTo(new NodeId(B));
        NodesTable doubtful = NodesTable.parse(second.replace("master", "master,fail?"), known);
        assertThat(doubtful.view()).isNotEqualTo(one.view());
    }

    @Test
    void readsAReplicaThatMovesNothing() throws MalformedReply {
        NodesTable table =
                parse(OWN + B + " 10.0.0.2:6379@16379,pod-b.c.ns.svc slave,fail? " + A + " 17 18 3 disconnected\n");
        MemberBelief replica = last(table);
        assertThat(replica.role()).isEqualTo(Role.REPLICA);
        assertThat(replica.primary()).hasValue(table.self());
        assertThat(replica.health()).isEqualTo(Health.SUSPECTED);
        assertThat(replica.hostname()).hasValue("pod-b.c.ns.svc");
        assertThat(replica.linkUp()).isFalse();
        assertThat(table.own().slots()).isEqualTo(SlotSet.of(List.of(new SlotRange(0, 99), new SlotRange(101, 101))));
    }

    @Test
    void readsOpenSlotsAndUnknownAddresses() throws MalformedReply {
        NodesTable table = parse(A + " :0@0,,shard-id=" + C + " myself,master,noaddr - 0 0 3 connected 77-78 [77->-" + B
                + "] [500-<-" + C + "]\n" + B + " ?:0@0 master,fail,noaddr,newflag - 1 2 0 disconnected\n");
        assertThat(table.own().ip()).isEmpty();
        assertThat(table.own().hostname()).isEmpty();
        assertThat(table.own().openSlots())
                .extracting(OpenSlot::toString)
                .containsExactly("[77->-" + B + "]", "[500-<-" + C + "]");
        assertThat(last(table).health()).isEqualTo(Health.FAILED);
    }

    static List<String> notPrintedByAnyServer() {
        return List.of(
                "",
                "\n",
                "ERR what\n",
                // no own line, two of them, an id twice, a slot twice
                B + " 10.0.0.2:6379@16379 master - 0 0 0 connected\n",
                OWN + B + " 10.0.0.2:6379@16379 myself,master - 0 0 0 connected\n",
                OWN + A + " 10.0.0.2:6379@16379 master - 0 0 0 connected\n",
                OWN + B + " 10.0.0.2:6379@16379 master - 0 0 0 connected 99-120\n",
                OWN + B + " 10.0.0.2:6379@16379 master - 0 0 0 connected\n" + B
                        + " 10.0.0.2:6379@16379 master - 1 1 0 connected\n",
                // cut off, a blank line, a field too few
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected 0-99 101",
                OWN + "\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 3\n",
                // wrong fields, one by one
                "xyz 10.0.0.1:6379@16379 myself,master - 0 0 3 connected\n",
                A + " 10.0.0.1 myself,master - 0 0 3 connected\n",
                A + " 10.0.0.1:port myself,master - 0 0 3 connected\n",
                A + " 10.0.0.1:6379@16379 myself,,master - 0 0 3 connected\n",
                A + " 10.0.0.1:6379@16379 myself,slave xyz 0 0 3 connected\n",
                A + " 10.0.0.1:6379@16379 myself,master " + B + " 0 0 3 connected\n",
                A + " 10.0.0.1:6379@16379 myself,master - x 0 3 connected\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 99999999999999999999 connected\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 9999999999999999999 connected\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 perhaps\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected 16384\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected 9-5\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected 5-\n",
                A + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected [77->-xyz]\n");
    }

    @ParameterizedTest
    @MethodSource("notPrintedByAnyServer")
    void refusesWhatNoServerPrints(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(MalformedReply.class).hasMessageContaining("CLUSTER NODES");
    }

    @Test
    void refusesEveryTextThatIsCutOff() {
        TableGenerator generator = new TableGenerator(7);
        String text = generator.print(generator.table());
        for (int length = 0; length < text.length(); length++) {
            String part = text.substring(0, length);
            if (!part.endsWith("\n")) {
                assertThatThrownBy(() -> parse(part)).isInstanceOf(MalformedReply.class);
            }
        }
    }

    /** Damage may go unnoticed where it gives another table that a server could print; nothing else may come of it. */
    @Test
    void survivesDamage() {
        int refused = 0;
        for (long seed = 0; seed < 800; seed++) {
            TableGenerator generator = new TableGenerator(seed);
            String text = damage(generator.print(generator.table()), new Random(seed));
            try {
                NodesTable table = parse(text);
                assertThat(table.own().id()).as("seed %d", seed).isEqualTo(table.self());
            } catch (MalformedReply e) {
                refused++;
                assertThat(e.sentence()).as("seed %d", seed).isNotBlank().doesNotContain("\n");
            }
        }
        assertThat(refused).isGreaterThan(400);
    }

    private static String damage(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        for (int i = 0; i <= random.nextInt(3); i++) {
            int at = random.nextInt(damaged.length());
            switch (random.nextInt(3)) {
                case 0 -> damaged.deleteCharAt(at);
                case 1 -> damaged.setCharAt(at, (char) random.nextInt(256));
                default -> damaged.insert(at, " ,:@-[]\n0".charAt(random.nextInt(9)));
            }
        }
        return damaged.toString();
    }
}
