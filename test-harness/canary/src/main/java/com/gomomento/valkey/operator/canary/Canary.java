package com.gomomento.valkey.operator.canary;

/** Gives back null where the signature promises a value. If this ever compiles, the null check has been lost. */
final class Canary {

    private Canary() {}

    static String song() {
        return null;
    }
}
