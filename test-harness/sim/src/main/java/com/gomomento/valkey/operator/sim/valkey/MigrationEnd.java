package com.gomomento.valkey.operator.sim.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.SlotMigration;

/** What one of its two ends knows of an atomic slot migration. */
final class MigrationEnd {

    final boolean outgoing;
    final SlotSet slots;
    final NodeId source;
    final NodeId target;
    State state;
    String message = "";
    /** Until when the source holds back its clients' writes. */
    long pausedUntil = Peer.NEVER;

    /** The steps, in the server's words. */
    enum State {
        CONNECTING("connecting"),
        ESTABLISHING("reading-establish-response"),
        SNAPSHOTTING("snapshotting"),
        PAUSED("failover-paused"),
        GRANTED("failover-granted"),
        RECEIVING("receiving-snapshot"),
        WAITING_FOR_PAUSED("waiting-for-paused"),
        SUCCESS("success"),
        FAILED("failed"),
        CANCELLED("cancelled");

        private final String word;

        State(String word) {
            this.word = word;
        }

        boolean ended() {
            return this == SUCCESS || this == FAILED || this == CANCELLED;
        }
    }

    MigrationEnd(boolean outgoing, SlotSet slots, NodeId source, NodeId target, State state) {
        this.outgoing = outgoing;
        this.slots = slots;
        this.source = source;
        this.target = target;
        this.state = state;
    }

    boolean active() {
        return !state.ended();
    }

    void finish(State how, String why) {
        if (active()) {
            state = how;
            message = why;
            pausedUntil = Peer.NEVER;
        }
    }

    SlotMigration told() {
        return new SlotMigration(outgoing, slots, source, target, active(), state.word, message);
    }
}
