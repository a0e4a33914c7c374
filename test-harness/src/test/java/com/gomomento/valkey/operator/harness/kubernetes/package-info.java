/**
 * The Kubernetes adapter against a real API server: what it writes, what it sees, and what it makes of every way in which the
 * two can lose each other. Needs an API server in {@code KUBECONFIG}, no node. Nothing of Valkey may live here.
 */
package com.gomomento.valkey.operator.harness.kubernetes;
