package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Words for what a server tells, in which ids and addresses, which are chance, have become numbers. */
final class Facts {

    private final Map<NodeId, String> names;
    private final Map<String, String> namesByIp;
    private final Predicate<String> silent;
    private final SortedMap<String, String> facts = new TreeMap<>();

    /**
     * No fact yet.
     *
     * @param silent which of the names belong to servers that do not answer; how a link to such a one is just now called is
     *     a matter of moments
     */
    Facts(Map<NodeId, String> names, Map<String, String> namesByIp, Predicate<String> silent) {
        this.names = names;
        this.namesByIp = namesByIp;
        this.silent = silent;
    }

    SortedMap<String, String> all() {
        return facts;
    }

    void add(String name, Reachable report, List<String> keys) {
        facts.put(name + " cluster_state", report.clusterOk() ? "ok" : "fail");
        facts.put(name + " role", report.role().toString());
        report.replication()
                .ifPresent(link -> facts.put(
                        name + " link",
                        (link.up() ? "up" : "down") + " to " + namesByIp.getOrDefault(link.primaryHost(), "?")));
        facts.put(name + " keys", keys.toString());
        List<String> migrations = new ArrayList<>();
        for (SlotMigration migration : report.migrations()) {
            migrations.add((migration.outgoing() ? "export " : "import ") + migration.slots() + " "
                    + names.get(migration.source()) + " to " + names.get(migration.target()) + " "
                    + migration.state());
        }
        facts.put(name + " migrations", migrations.toString());
        for (MemberBelief line : report.view().all()) {
            String subject = line.handshake()
                    ? "a handshake with " + namesByIp.get(line.ip().orElse(""))
                    : names.getOrDefault(line.id(), "somebody");
            facts.put(name + " sees " + subject, belief(subject, line));
        }
    }

    private String belief(String subject, MemberBelief line) {
        List<String> open = new ArrayList<>();
        for (OpenSlot slot : line.openSlots()) {
            open.add(slot.slot() + (slot.outgoing() ? " to " : " from ") + names.get(slot.peer()));
        }
        String link = silent.test(subject) ? "silent" : line.linkUp() ? "linked" : "not linked";
        return line.role() + line.primary().map(id -> " of " + names.get(id)).orElse("") + ", " + line.health() + ", "
                + link + ", at "
                + line.ip().map(ip -> namesByIp.getOrDefault(ip, ip)).orElse("no address") + ", slots ["
                + line.slots() + "], open " + open;
    }
}
