/**
 * Every state that the smallest clusters can get into, one after the other. The planner and the guards are production's; pods
 * and servers are as simple as can be, without time: whatever may happen next, may happen at any moment. Slots are counted in
 * parts of 512, so that four of them are what the planner moves at once.
 */
package com.gomomento.valkey.operator.sim.scope;
