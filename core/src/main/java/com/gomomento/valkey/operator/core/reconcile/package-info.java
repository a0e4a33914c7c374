/**
 * The loop that observes, plans and acts. No thread and no clock of its own: whoever embeds it calls it, with the time.
 */
package com.gomomento.valkey.operator.core.reconcile;
