package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import java.util.List;

/** One of the two API servers that are compared. UIDs are chance, so they are told as u1, u2 ... in the order of creation. */
interface ApiSide {

    /** What a UID precondition names that is nobody's. */
    String NOBODYS_UID = "00000000-0000-4000-8000-000000000000";

    /**
     * Asks for something.
     *
     * @return the kind of the reply; of an object also how it is now, and whether it has another version than before
     */
    String ask(ApiRequest request);

    /** All objects of a kind, one line each, by name. */
    List<String> list(Kind kind);

    /** Names of the Pods with this value of the label {@code v}, in order. */
    List<String> podsLabelled(String value);

    /** What watches of a kind have told since this was last asked, in their order. */
    List<String> news(Kind kind);
}
