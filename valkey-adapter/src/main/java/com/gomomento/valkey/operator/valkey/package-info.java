/**
 * Valkey as the core's {@code ValkeyPort} sees it: one admin connection a server, the parsers of what servers answer, and
 * the guarded execution of actions. GLIDE is known to {@code GlideLink} and {@code GlideLibrary} alone and shows in no public type. No Kubernetes
 * type and no decision of what to do next may live here.
 */
package com.gomomento.valkey.operator.valkey;
