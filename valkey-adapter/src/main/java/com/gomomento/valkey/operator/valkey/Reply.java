package com.gomomento.valkey.operator.valkey;

import java.util.List;

/** What a server answered to one command. */
sealed interface Reply {

    /**
     * A value.
     *
     * @param value a string as it came, a number as its text; empty for nothing
     */
    record Text(String value) implements Reply {}

    /**
     * An array; or a map, whose names and values take turns.
     *
     * @param items in the order in which they came
     */
    record Items(List<Reply> items) implements Reply {
        /** Copies the items. */
        public Items {
            items = List.copyOf(items);
        }
    }

    /**
     * An error.
     *
     * @param words the server's own, error code first, such as {@code ERR Unknown node ...}
     */
    record Refusal(String words) implements Reply {

        /** Whether the error has this code ({@code LOADING}, {@code NOAUTH} ...). */
        boolean hasCode(String code) {
            return words.equals(code) || words.startsWith(code + " ");
        }
    }
}
