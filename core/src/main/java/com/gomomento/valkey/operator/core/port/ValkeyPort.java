package com.gomomento.valkey.operator.core.port;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.plan.ValkeyAction;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The valkey-servers, as the core sees them. Every command has an outer deadline; nothing here blocks without one.
 * Connections are the implementation's own affair: it keeps them while they are used and closes them when they are not.
 */
public interface ValkeyPort {

    /**
     * Asks all targets at the same time.
     *
     * @return one report a target, also for those that did not answer
     */
    SortedMap<NodeName, NodeReport> observe(List<Target> targets);

    /**
     * Runs independent actions, at the same time where that is quicker. Guards are rechecked on the same connection.
     *
     * @param targets every member that can be reached, by name
     * @return one result an action, in the order of {@code actions}
     */
    List<ActionResult> execute(SortedMap<NodeName, Target> targets, List<ValkeyAction> actions);

    /**
     * Where one member's server is found.
     *
     * @param name the member
     * @param ip its pod's address
     * @param port of the client protocol
     * @param password of the internal operator user
     * @param directives names of those of which an observation is to tell what the server runs with
     */
    record Target(NodeName name, String ip, int port, SecretText password, SortedSet<String> directives) {
        /** Refuses a blank address and ports outside 1 to 65535. */
        public Target {
            directives = Collections.unmodifiableSortedSet(new TreeSet<>(directives));
            Check.notBlank("ip", ip);
            Check.that(port >= 1 && port <= 65535, "port is " + port + ", allowed is 1 to 65535");
        }

        /** One that is not asked for any directive. */
        public Target(NodeName name, String ip, int port, SecretText password) {
            this(name, ip, port, password, new TreeSet<>());
        }
    }
}
