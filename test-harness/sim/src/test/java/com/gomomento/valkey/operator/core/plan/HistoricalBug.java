package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import com.gomomento.valkey.operator.sim.world.Program;
import com.gomomento.valkey.operator.sim.world.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * An operator with a bug of a kind that operators of Valkey or Redis have had, made of the production rules and what replaces
 * some of them. Stands in the planner's package, whose rules are nobody else's business.
 *
 * @param name of the bug's class
 * @param invariant that it breaks, by number
 * @param program the operator that has it
 * @param histories in which it shows, by seed
 * @param from a seed shortly before the first that shows it
 */
public record HistoricalBug(
        String name, String invariant, Program program, LongFunction<Scenario> histories, long from) {

    /** All bugs. */
    public static List<HistoricalBug> all() {
        List<HistoricalBug> bugs = new ArrayList<>();
        bugs.addAll(ofForgetting());
        bugs.addAll(ofClaimsAndRoles());
        bugs.addAll(ofChanges());
        bugs.addAll(ofTheLoop());
        return bugs;
    }

    private static List<HistoricalBug> ofForgetting() {
        return List.of(
                bug(
                        "ForgetDuringHandshake",
                        "S9",
                        unguarded(with(Map.of(ForgetRule.class, new ForgetDuringHandshake()))),
                        Histories.journey("bootstrap"),
                        1),
                bug(
                        "ForgetBeforeTheVote",
                        "S7",
                        unguarded(withFirst(new ForgetBeforeTheVote())),
                        Histories.journey("quorum"),
                        1),
                bug(
                        "ForgetWithoutALook",
                        "S6",
                        unguarded(withFirst(new ForgetWithoutALook())),
                        Histories.journey("lost shard"),
                        1),
                bug(
                        "ForgetWhileThePodEnds",
                        "S8",
                        unguarded(withFirst(new ForgetWhileThePodEnds())),
                        Histories.journey("roll"),
                        1),
                bug("MeetByAddress", "S10", unguarded(MeetByAddress.planning()), Histories.reusedAddresses(), 3));
    }

    private static List<HistoricalBug> ofClaimsAndRoles() {
        return List.of(
                bug(
                        "OneEpochForAll",
                        "S11",
                        guarded(with(Map.of(ClaimRule.class, new OneEpochForAll()))),
                        Histories.journey("bootstrap"),
                        1),
                bug(
                        "ClaimOnAPartialView",
                        "S1",
                        unguarded(with(Map.of(ClaimRule.class, new ClaimOnAPartialView()))),
                        Histories.drawn(),
                        39),
                bug(
                        "PromoteUnsynced",
                        "S5",
                        unguarded(with(Map.of(HandoverRule.class, new PromoteUnsynced()))),
                        Histories.journey("roll"),
                        1),
                bug(
                        "SilenceIsDeath",
                        "S5",
                        unguarded(with(Map.of(TakeoverRule.class, new SilenceIsDeath()))),
                        Histories.drawn(),
                        1),
                bug(
                        "SeatZeroLeads",
                        "S3",
                        guarded(with(Map.of(FollowRule.class, new SeatZeroLeads()))),
                        Histories.journey("replace"),
                        1));
    }

    private static List<HistoricalBug> ofChanges() {
        return List.of(
                bug(
                        "ScaleInByOneView",
                        "S4",
                        guarded(with(Map.of(RetireRule.class, new ScaleInByOneView()))),
                        Histories.drawn(),
                        920),
                bug(
                        "DrainIntoOneSurvivor",
                        "S18",
                        guarded(with(Map.of(RebalanceRule.class, new DrainIntoOneSurvivor()))),
                        Histories.journey("scale in"),
                        1),
                bug(
                        "DestroyFirst",
                        "S4",
                        guarded(with(Map.of(RollRule.class, new DestroyFirst()))),
                        Histories.journey("roll"),
                        1),
                bug("AllShardsAtOnce", "S12", guarded(AllShardsAtOnce.planning()), Histories.drawn(), 24),
                bug("RollWhileSlotsMove", "S13", guarded(RollWhileSlotsMove.planning()), Histories.rollAndScale(), 12),
                bug("DefaultsForTheUnusable", "S16", guarded(new DefaultsForTheUnusable()), Histories.drawn(), 1));
    }

    private static List<HistoricalBug> ofTheLoop() {
        return List.of(
                bug("StoredPhase", "S4", guarded(withFirst(new StoredPhase())), Histories.crashes("bootstrap"), 55),
                bug(
                        "RebornInSilence",
                        "S17",
                        guarded(with(Map.of(ClaimRule.class, new RebornInSilence()))),
                        Histories.drawn(),
                        7),
                bug("ReadyGate", "L1", guarded(new ReadyGate()), Histories.journey("replace"), 1),
                bug("LastReconciledAt", "L2", guarded(withFirst(new LastReconciledAt())), Histories.journey("roll"), 1),
                bug("ActiveWhenReady", "S18", guarded(new ActiveWhenReady()), Histories.journey("bootstrap"), 1),
                bug(
                        "ErrorWithPassword",
                        "S19",
                        guarded(withFirst(new ErrorWithPassword())),
                        Histories.journey("replace"),
                        1));
    }

    private static HistoricalBug bug(
            String name, String invariant, Program program, LongFunction<Scenario> histories, long from) {
        return new HistoricalBug(name, invariant, program, histories, from);
    }

    @Override
    public String toString() {
        return name;
    }

    /** An operator that plans like this, and sends commands without a look at the node just before. */
    private static Program unguarded(Planning planning) {
        return new Program(planning, new Program.Guard() {
            @Override
            public Guards.Verdict check(ValkeyAction action, NodeReport.Reachable now) {
                return new Guards.Go();
            }

            @Override
            public boolean identified(ValkeyAction.Peer peer, Optional<ValkeyPort.Target> pod, NodeReport answer) {
                return true;
            }
        });
    }

    /** An operator that plans like this, and keeps the production guards. */
    private static Program guarded(Planning planning) {
        return new Program(planning, Program.PRODUCTION.guard());
    }

    /** The production rules with others in the place of some. */
    static Planning with(Map<Class<? extends Rule>, Rule> others) {
        List<Rule> rules = new ArrayList<>(Planner.rules());
        rules.replaceAll(rule -> others.getOrDefault(rule.getClass(), rule));
        if (!rules.containsAll(others.values())) {
            throw new IllegalArgumentException("some of " + others.keySet() + " are no rules of the planner");
        }
        return Planner.of(rules);
    }

    /** The production rules and one more, which speaks first. */
    private static Planning withFirst(Rule another) {
        List<Rule> rules = new ArrayList<>(Planner.rules());
        rules.addFirst(another);
        return Planner.of(rules);
    }
}
