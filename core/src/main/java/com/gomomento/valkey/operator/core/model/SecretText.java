package com.gomomento.valkey.operator.core.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A credential. It prints as {@code [redacted]} (invariant S19), so that no log line, message or test report can show it. */
public final class SecretText {

    private final String value;

    private SecretText(String value) {
        this.value = value;
    }

    /** Wraps a credential, which may not be blank. */
    public static SecretText of(String value) {
        return new SecretText(Check.notBlank("credential", value));
    }

    /** The credential itself, for the one place that hands it to a server or an API. */
    public String reveal() {
        return value;
    }

    /** Lower-case SHA-256 of the credential, the form in which an ACL file holds a password. */
    public String sha256Hex() {
        return Fingerprint.sha256Hex(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretText that
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), that.value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return "[redacted]";
    }
}
