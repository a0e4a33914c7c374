package com.gomomento.valkey.operator.logging;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** RFC 3339 in UTC with six digits of a second. The part up to the second is kept for the lines of the same second. */
final class Timestamps {

    private static final class Second {
        private final long epochSecond;
        private final byte[] text;

        Second(long epochSecond) {
            this.epochSecond = epochSecond;
            this.text = secondText(epochSecond);
        }
    }

    private volatile Second latest = new Second(0);

    void write(Utf8Buffer out, Instant instant) {
        Second second = latest;
        if (second.epochSecond != instant.getEpochSecond()) {
            second = new Second(instant.getEpochSecond());
            latest = second;
        }
        out.raw(second.text);
        out.digits(instant.getNano() / 1000, 6);
        out.ascii('Z');
    }

    private static byte[] secondText(long epochSecond) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
        Utf8Buffer out = new Utf8Buffer(20);
        out.digits(time.getYear(), 4);
        out.ascii('-');
        out.digits(time.getMonthValue(), 2);
        out.ascii('-');
        out.digits(time.getDayOfMonth(), 2);
        out.ascii('T');
        out.digits(time.getHour(), 2);
        out.ascii(':');
        out.digits(time.getMinute(), 2);
        out.ascii(':');
        out.digits(time.getSecond(), 2);
        out.ascii('.');
        return out.toByteArray();
    }
}
