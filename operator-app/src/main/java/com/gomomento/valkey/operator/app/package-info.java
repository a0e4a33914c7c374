/**
 * The operator's process: main, configuration and wiring. It decides nothing: what a cluster needs is the core's business,
 * and how the world is touched is the adapters'.
 */
package com.gomomento.valkey.operator.app;
