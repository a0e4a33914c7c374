package com.gomomento.valkey.operator.core.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks and copies that constructors of values share. A failed check is a broken invariant of ours, not a user's error. */
public final class Check {

    private Check() {}

    /** Returns {@code value}, or throws when it is blank. */
    public static String notBlank(String what, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(what + " is blank");
        }
        return value;
    }

    /** Returns {@code value}, or throws when it is below {@code least}. */
    public static long atLeast(String what, long least, long value) {
        if (value < least) {
            throw new IllegalArgumentException(what + " is " + value + ", allowed is " + least + " or more");
        }
        return value;
    }

    /** Throws {@link IllegalArgumentException} with {@code sentence} unless {@code holds}. */
    public static void that(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }

    /** Whether {@code text} has no character but {@code 0-9a-f}. */
    static boolean isLowerHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            if (!digit) {
                return false;
            }
        }
        return true;
    }

    /** An unmodifiable copy in key order, so that two processes walk it alike. */
    public static <K extends Comparable<? super K>, V> SortedMap<K, V> sortedCopy(Map<? extends K, ? extends V> map) {
        // Without a comparator of its own: a copy of a map in the same order then needs no comparison at all.
        TreeMap<K, V> copy = new TreeMap<>();
        copy.putAll(map);
        return Collections.unmodifiableSortedMap(copy);
    }
}
