package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLineEncoderTest {

    private final Logger logger = new LoggerContext().getLogger("io.fabric8.kubernetes.client");
    private final JsonLineEncoder encoder = new JsonLineEncoder();

    @Test
    void writesTheTimeInMicroseconds() {
        assertThat(timestamp("2026-11-30T18:51:51.227036999Z")).isEqualTo("2026-11-30T18:51:51.227036Z");
        assertThat(timestamp("2026-11-30T18:51:51.000000999Z")).isEqualTo("2026-11-30T18:51:51.000000Z");
        assertThat(timestamp("2024-02-29T23:59:59Z")).isEqualTo("2024-02-29T23:59:59.000000Z");
        assertThat(timestamp("1969-12-31T23:59:59.5Z")).isEqualTo("1969-12-31T23:59:59.500000Z");
    }

    @Test
    void mapsEveryLoggerToATargetInTheSameWay() {
        assertThat(encode(event("m")).get("target").asText()).isEqualTo("io::fabric8::kubernetes::client");
    }

    @Test
    void neverWritesAMemberTwice() {
        LoggingEvent event = event("text");
        event.setThrowableProxy(new ch.qos.logback.classic.spi.ThrowableProxy(new IllegalStateException("boom")));
        event.setKeyValuePairs(List.of(
                new KeyValuePair("message", "other"),
                new KeyValuePair("a", 1),
                new KeyValuePair("error", "mine"),
                new KeyValuePair("a", 2)));

        JsonNode fields = encode(event).get("fields");

        assertThat(names(fields)).containsExactly("message", "error", "a", "stacktrace");
        assertThat(fields.get("message").asText()).isEqualTo("text");
        assertThat(fields.get("a").asInt()).isEqualTo(2);
        assertThat(fields.get("error").asText()).isEqualTo("mine");
    }

    @Test
    void writesEventsThatHoldNothing() {
        assertThat(line(event())).endsWith("\"fields\":{},\"target\":\"io::fabric8::kubernetes::client\"}\n");

        LoggingEvent event = event();
        List<KeyValuePair> pairs = new ArrayList<>();
        pairs.add(new KeyValuePair("message", "from a pair"));
        pairs.add(new KeyValuePair(null, null));
        event.setKeyValuePairs(pairs);
        assertThat(line(event)).contains("\"fields\":{\"message\":\"from a pair\",\"null\":null}");
    }

    @Test
    void writesHugeAndOddText() {
        String huge = "\ud83d\ude00\n".repeat(1_000_000) + "\ud83d";
        assertThat(encode(event(huge)).at("/fields/message").asText())
                .isEqualTo(huge.substring(0, huge.length() - 1) + "\ufffd");
        // The big buffer is not kept, and what follows is not touched by it.
        assertThat(encode(event("small")).at("/fields/message").asText()).isEqualTo("small");
        assertThat(encoder.borrow().capacity()).isLessThan(64 * 1024 + 1);
    }

    @Test
    void saysSoIfAnEventCannotBeWritten() {
        LoggingEvent event = event("m");
        event.setKeyValuePairs(new ArrayList<>() {
            @Override
            public int size() {
                throw new IllegalStateException();
            }
        });
        JsonNode fields = encode(event).get("fields");
        assertThat(fields.get("message").asText()).isEqualTo("log event could not be written");
        assertThat(fields.get("error").asText()).isEqualTo("java.lang.IllegalStateException");
    }

    private String timestamp(String instant) {
        LoggingEvent event = event("m");
        event.setInstant(Instant.parse(instant));
        return encode(event).get("timestamp").asText();
    }

    private LoggingEvent event(String message) {
        LoggingEvent event = event();
        event.setMessage(message);
        return event;
    }

    private LoggingEvent event() {
        LoggingEvent event = new LoggingEvent();
        event.setLoggerName(logger.getName());
        event.setLevel(Level.INFO);
        event.setTimeStamp(1);
        return event;
    }

    private JsonNode encode(LoggingEvent event) {
        List<JsonNode> lines = LogCapture.parse(encoder.encode(event));
        assertThat(lines).hasSize(1);
        return lines.getFirst();
    }

    private String line(LoggingEvent event) {
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }

    static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
