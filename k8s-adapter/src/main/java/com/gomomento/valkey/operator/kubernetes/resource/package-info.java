/**
 * The five custom resources: their names, and how they are read into the core's values and how statuses are written.
 * Works on objects in memory; no client, no informer and no decision may live here.
 */
package com.gomomento.valkey.operator.kubernetes.resource;
