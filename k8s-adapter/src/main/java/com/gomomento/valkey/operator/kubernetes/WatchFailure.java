package com.gomomento.valkey.operator.kubernetes;

/** A list or watch that did not come about or broke; what to do about it depends only on whether its history has expired. */
final class WatchFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean expired;

    WatchFailure(String reason, boolean expired) {
        super(reason);
        this.expired = expired;
    }

    /** Whether the server no longer has the history that was asked for, so that only a new list helps. */
    boolean expired() {
        return expired;
    }

    /** In the server's words. */
    String reason() {
        return String.valueOf(getMessage());
    }
}
