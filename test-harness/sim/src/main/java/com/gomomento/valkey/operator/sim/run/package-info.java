/** The command line of the simulator, and what shrinks a failing scenario to what matters in it. */
package com.gomomento.valkey.operator.sim.run;
