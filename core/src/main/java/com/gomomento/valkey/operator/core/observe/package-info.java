/**
 * What was seen of a cluster, in Kubernetes and in every node's own view, at one moment. Facts only: a node's view is
 * that node's belief and is kept as such. No judgement and no wish may live here.
 */
package com.gomomento.valkey.operator.core.observe;
