package com.gomomento.valkey.operator.core.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short digest by which two contents are told apart: the first 16 hex digits of their SHA-256. */
public record Fingerprint(String hex) {

    private static final int HEX_DIGITS = 16;

    /** Refuses a text that is not 16 hex digits. */
    public Fingerprint {
        if (hex.length() != HEX_DIGITS || !Check.isLowerHex(hex)) {
            throw new IllegalArgumentException("'" + hex + "' is no fingerprint");
        }
    }

    /** The fingerprint of {@code parts}, each told from its neighbour whatever it holds. */
    public static Fingerprint of(String... parts) {
        StringBuilder all = new StringBuilder();
        for (String part : parts) {
            all.append(part.length()).append(':').append(part).append('\n');
        }
        return new Fingerprint(sha256Hex(all.toString()).substring(0, HEX_DIGITS));
    }

    /** All 64 lower-case hex digits of the SHA-256 of {@code text} in UTF-8. */
    static String sha256Hex(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return hex;
    }
}
