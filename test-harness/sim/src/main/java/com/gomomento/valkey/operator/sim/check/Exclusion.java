package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.List;
import java.util.TreeSet;

/**
 * S13: no pod of an end of a slot migration is deleted and no such end is replaced by a planned failover while the migration
 * is under way, and migrations under way have no slot in common.
 *
 * <p>Of two operators at once, one may begin a migration in the moment between the other's look and its deed; the engine then
 * ends the migration and the keys stay where they were. So this is asked only of one that is alone.
 */
public final class Exclusion extends Invariant {

    private final boolean alone;

    /** Looks at these models; {@code alone} tells whether there is just one operator. */
    public Exclusion(Truth truth, boolean alone) {
        super("S13 Exclusion", truth);
        this.alone = alone;
    }

    @Override
    public void wrote(WriteListener.Verb verb, Stored before, Stored after) {
        if (alone) {
            deleted(verb, before)
                    .ifPresent(process -> check(
                            !migrates(process),
                            "an operator deletes pod " + before.key().name() + ", an end of a migration"));
        }
    }

    @Override
    public void beforeCommand(ValkeyAction action, Server server) {
        if (!alone) {
            return;
        }
        if (action instanceof ValkeyAction.Failover failover
                && failover.mode() == ValkeyAction.Failover.Mode.GRACEFUL) {
            truth().roster()
                    .find(failover.primary())
                    .ifPresent(primary ->
                            check(!migrates(primary), primary + " is to hand over while it is an end of a migration"));
        }
        if (action instanceof ValkeyAction.MoveSlots move) {
            truth().roster().find(server.id()).ifPresent(source -> {
                for (Roster.Instance other : truth().roster().existing(source.clusterUid())) {
                    SlotSet moving = SlotSet.union(under(other.server().report()).stream()
                            .filter(migration -> !migration.source().equals(server.id()))
                            .map(SlotMigration::slots)
                            .toList());
                    check(!moving.intersects(move.slots()), move.node() + " is to move slots that " + other + " moves");
                }
            });
        }
    }

    private boolean migrates(Roster.Instance process) {
        TreeSet<NodeId> ends = new TreeSet<>();
        for (Roster.Instance other : truth().roster().existing(process.clusterUid())) {
            NodeReport.Reachable report = other.server().report();
            boolean counts = other.server().answers()
                    && truth().podStays(other)
                    && report.self().primary().isEmpty();
            if (!counts) {
                continue;
            }
            for (SlotMigration migration : under(report)) {
                ends.add(migration.source());
                ends.add(migration.target());
            }
            for (OpenSlot slot : report.self().openSlots()) {
                ends.add(report.id());
                ends.add(slot.peer());
            }
        }
        return ends.contains(process.server().id());
    }

    private static List<SlotMigration> under(NodeReport.Reachable report) {
        return report.migrations().stream().filter(SlotMigration::active).toList();
    }
}
