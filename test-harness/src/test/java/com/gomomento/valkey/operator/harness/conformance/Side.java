package com.gomomento.valkey.operator.harness.conformance;

import java.util.SortedMap;

/** One of the two that are compared. */
interface Side {

    /**
     * Does something.
     *
     * @return the reply, with servers by number in the place of ids and addresses
     */
    String run(Command command);

    /** What can be seen of every server that answers: each fact under what it is about. */
    SortedMap<String, String> look();
}
