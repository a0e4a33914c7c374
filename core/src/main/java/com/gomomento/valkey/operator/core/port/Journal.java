package com.gomomento.valkey.operator.core.port;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Takes the events that the core has to tell. An embedder may drop them, print them or assert on them. */
public interface Journal {

    /** Takes one event. */
    void record(Entry entry);

    /** How loud an event is. */
    enum Level {
        /** Something an operator of ours must look at. */
        ERROR,
        /** A failure that is retried. */
        WARN,
        /** A step taken, or a sign of life. */
        INFO,
        /** For those who follow a decision. */
        DEBUG
    }

    /**
     * One event.
     *
     * @param level how loud
     * @param target which part speaks, dotted: {@code operator.controller.acl}
     * @param message constant for its kind; what varies stands in the fields
     * @param fields in the order in which they are shown; values are String, Integer, Long or Boolean
     */
    record Entry(Level level, String target, String message, SequencedMap<String, Object> fields) {
        /** Copies the fields. */
        public Entry {
            Check.notBlank("target", target);
            Check.notBlank("message", message);
            fields = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(fields));
        }
    }
}
