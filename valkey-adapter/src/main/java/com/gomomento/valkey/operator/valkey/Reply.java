package com.gomomento.valkey.operator.valkey;

/** What a server answered to one command. */
sealed interface Reply {

    /**
     * A value.
     *
     * @param value a string as it came, anything else as its text; empty for nothing
     */
    record Text(String value) implements Reply {}

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
