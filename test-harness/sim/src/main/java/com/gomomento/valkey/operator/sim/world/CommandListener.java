package com.gomomento.valkey.operator.sim.world;

import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import com.gomomento.valkey.operator.sim.valkey.Server;

/** Is told of every action of one operator that reaches a server, just before and just after it takes effect. */
interface CommandListener {

    /** The guards have let it pass; nothing has changed yet. */
    void before(ValkeyAction action, Server server);

    /** It was carried out. */
    void after(ValkeyAction action, Server server);
}
