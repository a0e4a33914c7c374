package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.ReplicaLink;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Turns the answers to one observing round trip into a report. */
final class ReportReader {

    /** What is asked of every node, in one round trip; {@link #read} expects the answers in this order. */
    static final List<List<String>> QUESTIONS = List.of(
            List.of("CLUSTER", "MYID"),
            List.of("CLUSTER", "NODES"),
            List.of("CLUSTER", "INFO"),
            List.of("INFO", "server", "replication", "persistence", "memory"),
            List.of("CLUSTER", "GETSLOTMIGRATIONS"));

    private static final int TEXTS = 4;
    private static final int MIGRATIONS = 4;

    private ReportReader() {}

    /** As above, and how a server tells these directives. */
    static List<List<String>> questions(Set<String> directives) {
        if (directives.isEmpty()) {
            return QUESTIONS;
        }
        List<List<String>> questions = new ArrayList<>(QUESTIONS);
        questions.add(configGet(directives));
        return List.copyOf(questions);
    }

    /** The question for these directives alone. */
    static List<String> configGet(Set<String> directives) {
        List<String> question = new ArrayList<>(List.of("CONFIG", "GET"));
        question.addAll(directives);
        return List.copyOf(question);
    }

    /** The answer to {@link #configGet}, by name. */
    static SortedMap<String, String> directives(Reply reply) throws MalformedReply {
        SortedMap<String, String> directives = new TreeMap<>();
        if (!(reply instanceof Reply.Items(List<Reply> items)) || items.size() % 2 != 0) {
            throw new MalformedReply("CONFIG GET gave no map", reply.toString());
        }
        for (int i = 0; i < items.size(); i += 2) {
            if (items.get(i) instanceof Reply.Text(String name)
                    && items.get(i + 1) instanceof Reply.Text(String value)) {
                directives.put(name, value);
            }
        }
        return directives;
    }

    /**
     * The report; an answer that is an error or can't be understood makes the node unreachable, never half known.
     *
     * @param known views of other nodes, see {@link NodesTable#parse}
     */
    static NodeReport read(List<Reply> replies, NodesTable.Known known) {
        try {
            List<String> texts = new ArrayList<>();
            for (Reply reply : replies.subList(0, Math.min(TEXTS, replies.size()))) {
                switch (reply) {
                    case Reply.Text text -> texts.add(text.value());
                    case Reply.Refusal refusal -> {
                        return new Unreachable(reason(refusal), refusal.words());
                    }
                    case Reply.Items items ->
                        throw new MalformedReply("an array came instead of a text", items.toString());
                }
            }
            if (replies.size() < QUESTIONS.size() || replies.size() > QUESTIONS.size() + 1) {
                throw new MalformedReply("answers to " + QUESTIONS.size() + " questions", replies.size() + " came");
            }
            SortedMap<String, String> directives =
                    replies.size() > QUESTIONS.size() ? directives(replies.getLast()) : new TreeMap<>();
            return reachable(texts, MigrationsReader.read(replies.get(MIGRATIONS)), directives, known);
        } catch (MalformedReply e) {
            return new Unreachable(Unreachable.Reason.OTHER, e.sentence());
        }
    }

    private static Unreachable.Reason reason(Reply.Refusal refusal) {
        if (refusal.hasCode("LOADING")) {
            return Unreachable.Reason.LOADING;
        }
        return refusal.hasCode("NOAUTH") || refusal.hasCode("WRONGPASS")
                ? Unreachable.Reason.AUTHENTICATION
                : Unreachable.Reason.OTHER;
    }

    private static NodeReport reachable(
            List<String> texts,
            List<SlotMigration> migrations,
            SortedMap<String, String> directives,
            NodesTable.Known known)
            throws MalformedReply {
        NodesTable table = NodesTable.parse(texts.get(1), known);
        if (!table.self().value().equals(texts.get(0))) {
            throw new MalformedReply("CLUSTER MYID differs from the own line " + table.self(), texts.get(0));
        }
        InfoText cluster = InfoText.parse("CLUSTER INFO", texts.get(2));
        InfoText info = InfoText.parse("INFO", texts.get(3));
        if (info.count("loading") != 0) {
            return new Unreachable(Unreachable.Reason.LOADING, "the server is loading its data set");
        }
        Role role = role(info);
        return new Reachable(
                table.self(),
                info.text("valkey_version"),
                role,
                role == Role.REPLICA ? Optional.of(link(info)) : Optional.empty(),
                new ReplicationOffset(info.count(role == Role.REPLICA ? "slave_repl_offset" : "master_repl_offset")),
                cluster.text("cluster_state").equals("ok"),
                cluster.count("cluster_current_epoch"),
                table.view(),
                migrations,
                info.memory(),
                directives);
    }

    private static Role role(InfoText info) throws MalformedReply {
        String role = info.text("role");
        return switch (role) {
            case "master" -> Role.PRIMARY;
            case "slave" -> Role.REPLICA;
            default -> throw new MalformedReply("INFO has an unknown role", role);
        };
    }

    private static ReplicaLink link(InfoText info) throws MalformedReply {
        return new ReplicaLink(
                info.text("master_link_status").equals("up"),
                info.count("master_sync_in_progress") != 0,
                info.text("master_host"));
    }
}
