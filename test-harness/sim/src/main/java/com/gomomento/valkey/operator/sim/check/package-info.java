/**
 * What must hold of a world, one class for each invariant, told from the models' own truth and never from what an operator
 * believes. The first thing that does not hold ends the run.
 */
package com.gomomento.valkey.operator.sim.check;
