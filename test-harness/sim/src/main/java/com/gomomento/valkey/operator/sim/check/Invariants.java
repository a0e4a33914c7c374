package com.gomomento.valkey.operator.sim.check;

import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener;
import com.gomomento.valkey.operator.sim.valkey.Server;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** All invariants of one world, told of everything. */
public final class Invariants implements WriteListener {

    private final LastCopy lastCopy;
    private final List<Invariant> all;

    /** Of these models; {@code alone} tells whether there is just one operator. */
    public Invariants(Truth truth, boolean alone) {
        this.lastCopy = new LastCopy(truth);
        this.all = List.of(
                new Claim(truth),
                new Coverage(truth),
                lastCopy,
                new ReplacementFirst(truth),
                new TakeoverEvidence(truth),
                new ForgetTheDeadOnly(truth),
                new ForgetIsFinal(truth),
                new ForgetAfterFailover(truth),
                new Drain(truth),
                new NoMerge(truth),
                new DistinctEpochs(truth),
                new BlastRadius(truth),
                new Exclusion(truth, alone),
                new Ownership(truth),
                new InvalidIsInert(truth),
                new BootstrapOnce(truth),
                new HonestStatus(truth),
                new Secrecy(truth));
    }

    /** The one that is also told what clients were promised. */
    public LastCopy lastCopy() {
        return lastCopy;
    }

    /** How often each had something to look at. */
    public SortedMap<String, Long> looks() {
        SortedMap<String, Long> looks = new TreeMap<>();
        all.forEach(invariant -> looks.put(invariant.name(), invariant.looks()));
        return looks;
    }

    @Override
    public void wrote(Verb verb, Stored before, Stored after) {
        all.forEach(invariant -> invariant.wrote(verb, before, after));
    }

    /** A command is about to take effect. */
    public void beforeCommand(ValkeyAction action, Server server) {
        all.forEach(invariant -> invariant.beforeCommand(action, server));
    }

    /** A command took effect. */
    public void afterCommand(ValkeyAction action, Server server) {
        all.forEach(invariant -> invariant.afterCommand(action, server));
    }

    /** A process is about to end. */
    public void ending(Roster.Instance instance) {
        all.forEach(invariant -> invariant.ending(instance));
    }

    /** Something was told. */
    public void told(Journal.Entry entry) {
        all.forEach(invariant -> invariant.told(entry));
    }

    /** Some time has passed. */
    public void moment() {
        all.forEach(Invariant::moment);
    }
}
