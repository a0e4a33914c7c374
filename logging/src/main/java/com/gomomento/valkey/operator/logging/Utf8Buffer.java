package com.gomomento.valkey.operator.logging;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes that text is written to as UTF-8. For one thread at a time. */
final class Utf8Buffer {

    static final byte[] EMPTY = {};

    private byte[] bytes;
    private int size;

    Utf8Buffer(int capacity) {
        bytes = new byte[capacity];
    }

    byte[] array() {
        return bytes;
    }

    int size() {
        return size;
    }

    int capacity() {
        return bytes.length;
    }

    void truncate(int newSize) {
        size = newSize;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    void ascii(char c) {
        reserve(1);
        bytes[size++] = (byte) c;
    }

    void ascii(String text) {
        int length = text.length();
        reserve(length);
        byte[] target = bytes;
        int at = size;
        for (int i = 0; i < length; i++) {
            target[at++] = (byte) text.charAt(i);
        }
        size = at;
    }

    void raw(byte[] source) {
        reserve(source.length);
        System.arraycopy(source, 0, bytes, size, source.length);
        size += source.length;
    }

    /** Writes {@code value} with leading zeros, {@code width} digits in all; more digits than that are cut off. */
    void digits(int value, int width) {
        reserve(width);
        int rest = value;
        for (int at = size + width - 1; at >= size; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += width;
    }

    /**
     * Writes the bytes of {@code text} as long as they are printable ASCII without quote and backslash, and returns the
     * index of the first character that is not, or the length.
     */
    int plainPrefix(String text, int from) {
        int length = text.length();
        reserve(length - from);
        byte[] target = bytes;
        int at = size;
        int i = from;
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7f || c == '"' || c == '\\') {
                break;
            }
            target[at++] = (byte) c;
        }
        size = at;
        return i;
    }

    /** Writes one code point; half of a surrogate pair becomes the replacement character. */
    void codePoint(int c) {
        reserve(4);
        int safe = c >= 0xd800 && c <= 0xdfff ? 0xfffd : c;
        if (safe < 0x80) {
            put(safe);
        } else if (safe < 0x800) {
            put(0xc0 | (safe >> 6));
            putTail(safe);
        } else if (safe < 0x10000) {
            put(0xe0 | (safe >> 12));
            putTail(safe >> 6);
            putTail(safe);
        } else {
            put(0xf0 | (safe >> 18));
            putTail(safe >> 12);
            putTail(safe >> 6);
            putTail(safe);
        }
    }

    private void put(int b) {
        bytes[size++] = (byte) b;
    }

    /** A byte after the first of a character holds six of its bits. */
    private void putTail(int bits) {
        put(0x80 | (bits & 0x3f));
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            long doubled = Math.min(2L * bytes.length, Integer.MAX_VALUE - 8L);
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
        }
    }

    @Override
    public String toString() {
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
    }
}
