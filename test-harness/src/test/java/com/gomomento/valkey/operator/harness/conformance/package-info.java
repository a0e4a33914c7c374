/**
 * Holds the simulator's models against the real things: both are told the same, and must show the same. Valkey-server in {@link
 * ConformanceIT}, the API server of Kubernetes in {@link ApiConformanceIT}.
 */
package com.gomomento.valkey.operator.harness.conformance;
