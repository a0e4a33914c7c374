/**
 * The decision: rules keyed on observed gaps, the actions that close them, and the status that tells of them. Pure: no
 * clock, no randomness, no port, no logging.
 */
package com.gomomento.valkey.operator.core.plan;
