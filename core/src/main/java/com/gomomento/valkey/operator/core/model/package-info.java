/**
 * Values of the domain: identities, slots, versions and the effective wish for a cluster. Immutable, checked at
 * construction. No behaviour that needs an observation or a port may live here.
 */
package com.gomomento.valkey.operator.core.model;
