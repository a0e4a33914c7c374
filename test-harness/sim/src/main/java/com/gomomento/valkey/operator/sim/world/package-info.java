/**
 * The world put together: operators that run the production loop over the models, clients that write and remember what was
 * acknowledged, users with changing wishes, and the faults that befall them all.
 */
package com.gomomento.valkey.operator.sim.world;
