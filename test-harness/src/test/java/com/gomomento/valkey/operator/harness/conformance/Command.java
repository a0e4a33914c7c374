package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.sim.valkey.Server;

/** Something that is done to a cluster. Numbers are servers in the order of their start, from 0. */
sealed interface Command {

    /** Starts a server that knows nobody. */
    record Start() implements Command {}

    record Kill(int server) implements Command {}

    record Freeze(int server) implements Command {}

    record Thaw(int server) implements Command {}

    record Meet(int server, int other) implements Command {}

    record AddSlots(int server, SlotSet slots) implements Command {}

    record SetEpoch(int server, long epoch) implements Command {}

    record BumpEpoch(int server) implements Command {}

    record Replicate(int server, int primary) implements Command {}

    record Forget(int server, int other) implements Command {}

    record Failover(int server, Server.Failover mode) implements Command {}

    record MigrateSlots(int server, SlotSet slots, int target) implements Command {}

    record Importing(int server, int slot, int source) implements Command {}

    record Migrating(int server, int slot, int target) implements Command {}

    record Stable(int server, int slot) implements Command {}

    record Node(int server, int slot, int owner) implements Command {}

    record MoveKeys(int server, int slot, int target) implements Command {}

    record Write(int server, int slot, int key, long version) implements Command {}

    record Read(int server, int slot, int key) implements Command {}

    record Reset(int server, boolean hard) implements Command {}
}
