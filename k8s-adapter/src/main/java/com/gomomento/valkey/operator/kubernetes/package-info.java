/**
 * Kubernetes behind the core's port: watches that mirror what a cluster is made of, the observer that reads the mirror, and
 * the executor of the core's actions. Only {@link com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort} and the
 * small types of its methods are public. No decision about a cluster and nothing of Valkey's protocol may live here.
 */
package com.gomomento.valkey.operator.kubernetes;
