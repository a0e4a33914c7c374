/**
 * A model of Kubernetes as the operator meets it: the API server with versions, UIDs, owners and graceful deletion; its
 * watches with all their lateness; scheduler and kubelets; and the port that the core's loop is given. Held to what the real
 * {@code k8s-adapter} does call by call. Knows of valkey-server only that a container runs one.
 */
package com.gomomento.valkey.operator.sim.kubernetes;
