/**
 * What the core needs from outside: Kubernetes, Valkey and a journal. Adapters implement these; a simulator may too. Ports
 * return failures as values and throw only for broken invariants.
 */
package com.gomomento.valkey.operator.core.port;
