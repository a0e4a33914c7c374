package com.gomomento.valkey.operator.kubernetes;

import java.time.Duration;

/**
 * How long to wait for the API server. Tests wait less.
 *
 * @param call from the moment a call has its turn until its answer is complete
 * @param watch how long the server is asked to keep one watch open, in whole seconds; each takes up to half as long again,
 *     so that they spread
 * @param slack how much longer than asked a watch may last before its connection is taken for dead
 */
record Pace(Duration call, Duration watch, Duration slack) {

    /** What runs in production: nothing is unheard for longer than 100 s, whatever the network does. */
    static final Pace USUAL = new Pace(Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10));
}
