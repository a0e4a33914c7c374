/**
 * Scenarios on real parts: the local Kubernetes, the operator in its pod as shipped, valkey-servers in restricted pods. Here
 * live the means to make a situation, to break it and to look at it from outside: every node is asked itself, every request
 * of the operator is read from the API server's audit log, every line of the operator is kept.
 *
 * <p>Nothing here may use the operator's own eyes: no parser, client or observer of the adapters, or one mistake would hide
 * the other. Names of kinds and the like may be shared. The test framework is not known here; a check that fails throws
 * {@link com.gomomento.valkey.operator.harness.scenario.ScenarioFailure}.
 */
package com.gomomento.valkey.operator.harness.scenario;
