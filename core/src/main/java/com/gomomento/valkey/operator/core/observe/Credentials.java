package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.SecretText;

/**
 * Passwords of the internal users, from the operator-made Secret.
 *
 * @param operator with which the operator logs in
 * @param replication with which replicas log in at their primary
 */
public record Credentials(SecretText operator, SecretText replication) {}
