package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReportReaderTest {

    private static final String ID = "a".repeat(40);
    private static final String PRIMARY = "b".repeat(40);
    private static final String NODES = ID + " 10.0.0.1:6379@16379 myself,slave " + PRIMARY + " 0 0 3 connected\n"
            + PRIMARY + " 10.0.0.2:6379@16379 master - 0 1 3 connected 0-16383\n";
    private static final String CLUSTER = """
            cluster_state:ok
            cluster_known_nodes:2
            cluster_current_epoch:7
            """;
    private static final String INFO = """
            # Server
            valkey_version:8.1.1
            # Replication
            role:slave
            master_host:10.0.0.2
            master_link_status:down
            master_sync_in_progress:1
            slave_repl_offset:42
            master_repl_offset:5
            # Persistence
            loading:0
            # Memory
            used_memory:1000
            mem_not_counted_for_evict:300
            maxmemory:5000
            """;
    private static final Reply NO_MIGRATIONS = new Reply.Items(List.of());

    private static List<Reply> replies(String... texts) {
        return Stream.concat(Stream.of(texts).<Reply>map(Reply.Text::new), Stream.of(NO_MIGRATIONS))
                .toList();
    }

    private static NodeReport read(List<Reply> replies) {
        return ReportReader.read(replies, new NodesTable.Known());
    }

    private static Unreachable unreachable(NodeReport report) {
        assertThat(report).isInstanceOf(Unreachable.class);
        return (Unreachable) report;
    }

    @Test
    void reportsAReplica() {
        NodeReport report = read(replies(ID, NODES, CLUSTER, INFO));
        assertThat(report).isInstanceOfSatisfying(Reachable.class, node -> {
            assertThat(node.version()).isEqualTo("8.1.1");
            assertThat(node.role()).isEqualTo(Role.REPLICA);
            assertThat(node.replication()).hasValueSatisfying(link -> {
                assertThat(link.up()).isFalse();
                assertThat(link.syncing()).isTrue();
                assertThat(link.primaryHost()).isEqualTo("10.0.0.2");
            });
            assertThat(node.offset().bytes()).isEqualTo(42);
            assertThat(node.clusterOk()).isTrue();
            assertThat(node.currentEpoch()).isEqualTo(7);
            assertThat(node.view().size()).isEqualTo(2);
            assertThat(node.memory()).isEqualTo(new NodeReport.MemoryUse(700, 5000));
            assertThat(node.migrations()).isEmpty();
        });
    }

    @Test
    void reportsAPrimary() {
        String nodes = ID + " 10.0.0.1:6379@16379 myself,master - 0 0 3 connected\n";
        String info = INFO.replace("role:slave", "role:master");
        NodeReport report = read(replies(ID, nodes, CLUSTER.replace("ok", "fail"), info));
        assertThat(report).isInstanceOfSatisfying(Reachable.class, node -> {
            assertThat(node.replication()).isEmpty();
            assertThat(node.offset().bytes()).isEqualTo(5);
            assertThat(node.clusterOk()).isFalse();
        });
    }

    @Test
    void tellsLoadingAndRefusedLoginsApart() {
        assertThat(unreachable(read(replies(ID, NODES, CLUSTER, INFO.replace("loading:0", "loading:1"))))
                        .reason())
                .isEqualTo(Reason.LOADING);
        assertThat(unreachable(read(List.of(new Reply.Refusal("LOADING the data set"))))
                        .reason())
                .isEqualTo(Reason.LOADING);
        assertThat(unreachable(read(List.of(new Reply.Refusal("NOAUTH Authentication required."))))
                        .reason())
                .isEqualTo(Reason.AUTHENTICATION);
        assertThat(unreachable(read(List.of(new Reply.Refusal("NOPERM User has no permissions"))))
                        .reason())
                .isEqualTo(Reason.OTHER);
    }

    @Test
    void reportsNothingOfANodeThatContradictsItself() {
        Unreachable report = unreachable(read(replies(PRIMARY, NODES, CLUSTER, INFO)));
        assertThat(report.reason()).isEqualTo(Reason.OTHER);
        assertThat(report.detail()).contains("MYID").contains(PRIMARY);
        assertThat(unreachable(read(replies(ID, NODES, CLUSTER))).reason()).isEqualTo(Reason.OTHER);
    }

    /** Whatever comes back, a report comes out. */
    @Test
    void makesAReportOfAnyRubbish() {
        Random random = new Random(11);
        int whole = 0;
        for (int round = 0; round < 5000; round++) {
            List<String> texts = new ArrayList<>(List.of(ID, NODES, CLUSTER, INFO));
            int at = random.nextInt(texts.size());
            texts.set(at, rubbish(texts.get(at), random));
            NodeReport report = read(replies(texts.toArray(String[]::new)));
            switch (report) {
                case Reachable node -> {
                    whole++;
                    assertThat(node.view().lists(node.id())).isTrue();
                }
                case Unreachable silent -> assertThat(silent.detail()).isNotBlank();
                case NodeReport.NotAsked never -> throw new AssertionError("it was asked");
            }
        }
        assertThat(whole).isLessThan(3500);
    }

    private static String rubbish(String text, Random random) {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(30));
        byte[] noise = new byte[random.nextInt(4)];
        random.nextBytes(noise);
        return text.substring(0, from) + new String(noise, StandardCharsets.ISO_8859_1) + text.substring(to);
    }
}
