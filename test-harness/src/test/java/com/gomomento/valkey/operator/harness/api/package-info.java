/**
 * The operator and the API server: rights that are used, lacking and revoked, late news, and the operator's own
 * configuration. Here live copies of the operator in namespaces of their own; what Valkey does belongs elsewhere.
 */
package com.gomomento.valkey.operator.harness.api;
