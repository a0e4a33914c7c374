/**
 * Real valkey-servers as processes on this machine, for tests of the adapter alone: no container, no Kubernetes. Only
 * starting, disturbing and ending servers lives here; what is expected of them stands in the tests.
 */
package com.gomomento.valkey.operator.harness.valkey;
