/**
 * A model of valkey-server in cluster mode: what each node believes, how beliefs spread, who is elected, and what becomes of
 * the data. Held against real servers by conformance tests; where it differs from them, the model is wrong.
 */
package com.gomomento.valkey.operator.sim.valkey;
