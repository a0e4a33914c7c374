/**
 * The log contract (docs/LOGGING.md) on the operator that runs, line by line, and what must never be in any log. Other
 * statements about what the operator does do not belong here.
 */
package com.gomomento.valkey.operator.harness.logs;
