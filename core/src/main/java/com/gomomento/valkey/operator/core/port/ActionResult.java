package com.gomomento.valkey.operator.core.port;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.SortedMap;

/** What became of one action. */
public sealed interface ActionResult {

    /** It was done now. */
    record Applied() implements ActionResult {}

    /**
     * It was done now, and no observation will show it.
     *
     * @param words what the other side says of it, by name
     */
    record Told(SortedMap<String, String> words) implements ActionResult {
        /** Copies its map. */
        public Told {
            words = Check.sortedCopy(words);
        }
    }

    /** It had been done before, by us or by another; nothing was changed. */
    record AlreadyDone() implements ActionResult {}

    /**
     * It was refused and changed nothing: a guard no longer held, or the server said no.
     *
     * @param reason the other side's own words, without any credential
     */
    record Rejected(String reason) implements ActionResult {
        /** Refuses a blank reason. */
        public Rejected {
            Check.notBlank("reason", reason);
        }
    }

    /**
     * No answer came: it may have been done. Only a new observation tells.
     *
     * @param reason what happened, without any credential
     */
    record Unknown(String reason) implements ActionResult {
        /** Refuses a blank reason. */
        public Unknown {
            Check.notBlank("reason", reason);
        }
    }
}
