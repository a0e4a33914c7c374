package com.gomomento.valkey.operator.kubernetes.resource;

/**
 * What reading an object gave. An object that can't be read is a fact to be told, never an exception: one bad object must
 * not stop the others.
 */
public sealed interface Decoded<T> {

    /** It was read. */
    record Usable<T>(T value) implements Decoded<T> {}

    /** It was not; the sentence names the field, what stands there and what is allowed. */
    record Unusable<T>(String sentence) implements Decoded<T> {}
}
