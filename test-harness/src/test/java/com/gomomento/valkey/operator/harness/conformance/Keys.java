package com.gomomento.valkey.operator.harness.conformance;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Names of keys by slot: the model numbers keys within slots, servers hash names. */
final class Keys {

    private static final int CRC_POLYNOMIAL = 0x1021;

    private final Map<Integer, String> tags = new HashMap<>();

    /** The name of key {@code number} of {@code slot}. */
    String name(int slot, int number) {
        return "{" + tags.computeIfAbsent(slot, Keys::tag) + "}" + slot + "/" + number;
    }

    /** {@code slot/number} of a key. */
    static String label(String name) {
        return name.substring(name.indexOf('}') + 1);
    }

    private static String tag(int slot) {
        int i = 0;
        while (slotOf(Integer.toString(i)) != slot) {
            i++;
        }
        return Integer.toString(i);
    }

    private static int slotOf(String tag) {
        int crc = 0;
        for (byte next : tag.getBytes(StandardCharsets.US_ASCII)) {
            crc ^= (next & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ CRC_POLYNOMIAL;
            }
            crc &= 0xffff;
        }
        return crc % 16384;
    }
}
