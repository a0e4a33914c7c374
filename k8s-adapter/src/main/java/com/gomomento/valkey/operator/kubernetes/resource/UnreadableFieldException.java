package com.gomomento.valkey.operator.kubernetes.resource;

/** Ends the reading of one object; never leaves this package, where it becomes a sentence. */
final class UnreadableFieldException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableFieldException(String sentence) {
        super(sentence);
    }

    UnreadableFieldException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
