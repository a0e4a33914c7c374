package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterSpec;

/** What following a declaration's references gave. */
public sealed interface Resolution {

    /** Every reference was followed and every value can be used. */
    record Resolved(ClusterSpec spec) implements Resolution {}

    /**
     * An input is unusable.
     *
     * @param sentence every problem, each with the field, its value and what is allowed; no credential
     */
    record Unusable(String sentence) implements Resolution {
        /** Refuses a blank sentence. */
        public Unusable {
            Check.notBlank("sentence", sentence);
        }
    }
}
