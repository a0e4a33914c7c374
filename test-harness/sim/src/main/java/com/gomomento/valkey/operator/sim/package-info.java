/**
 * A deterministic world in which the production loop runs: virtual time, one seed, models of Kubernetes and Valkey, and
 * faults. The same seed gives the same history, byte for byte, on every machine. Depends on the core alone; no thread, no
 * wall clock and no source of chance but {@link com.gomomento.valkey.operator.sim.Dice} may be used here.
 */
package com.gomomento.valkey.operator.sim;
