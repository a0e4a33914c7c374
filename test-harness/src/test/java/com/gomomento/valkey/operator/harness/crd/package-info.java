/**
 * The custom resources as a real API server takes, refuses, stores and shows them. Needs a Kubernetes named by
 * {@code KUBECONFIG}; an API server alone is enough. Nothing that needs a pod to run may live here.
 */
package com.gomomento.valkey.operator.harness.crd;
