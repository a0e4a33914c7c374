/**
 * Holds the simulator's model of valkey-server against real servers: both are told the same, and must show the same.
 */
package com.gomomento.valkey.operator.harness.conformance;
