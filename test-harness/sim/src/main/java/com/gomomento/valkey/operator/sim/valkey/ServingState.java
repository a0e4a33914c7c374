package com.gomomento.valkey.operator.sim.valkey;

/**
 * {@code cluster_state} of one server: ok while it reaches a majority of the primaries with slots. A primary waits before it
 * serves: 2 s after its start, and after it was in a minority, for as long as others may need to tell it what it missed.
 */
final class ServingState {

    private static final long WRITABLE_DELAY_MILLIS = 2000;
    private static final long LEAST_REJOIN_MILLIS = 500;
    private static final long MOST_REJOIN_MILLIS = 5000;

    private final ValkeyNetwork network;
    private final Server server;
    private final long startedAt;
    private long minorityAt = Peer.NEVER;
    private boolean ok;
    private boolean mayVote;

    ServingState(ValkeyNetwork network, Server server) {
        this.network = network;
        this.server = server;
        this.startedAt = network.now();
    }

    boolean ok() {
        return ok;
    }

    /** Whether it has been up for long enough to have a vote in elections (9.1 and later; older ones always have). */
    boolean mayVote() {
        return mayVote || server.release().compareTo(ValkeyNetwork.V9_1) < 0;
    }

    /** Takes a new look at the table. */
    void update() {
        Table table = server.table();
        long now = network.now();
        boolean primary = table.self.isPrimary();
        if (primary && !ok && now - startedAt < WRITABLE_DELAY_MILLIS) {
            mayVote = false;
            return;
        }
        mayVote = true;
        boolean majority = table.reachableVoters() >= table.majority();
        if (!majority) {
            minorityAt = now;
        }
        if (majority != ok) {
            long rejoin = Math.clamp(server.nodeTimeoutMillis(), LEAST_REJOIN_MILLIS, MOST_REJOIN_MILLIS);
            boolean early = majority && primary && now - minorityAt < rejoin;
            ok = early ? ok : majority;
        }
    }
}
