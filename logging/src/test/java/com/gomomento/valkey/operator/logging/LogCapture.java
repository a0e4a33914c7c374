package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Installs logging with a filter and keeps what comes out. */
final class LogCapture {

    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static LogCapture install(String rustLog) {
        LogCapture capture = new LogCapture();
        LogSetup.install(rustLog, new PrintStream(capture.out), new PrintStream(capture.err));
        return capture;
    }

    String err() {
        return decode(err.toByteArray());
    }

    /** The lines, each parsed strictly: valid UTF-8, one object, no member twice. */
    List<JsonNode> lines() {
        return parse(out.toByteArray());
    }

    /** The only line there is. */
    JsonNode line() {
        List<JsonNode> lines = lines();
        assertThat(lines).hasSize(1);
        return lines.getFirst();
    }

    List<String> messages() {
        return lines().stream().map(line -> line.at("/fields/message").asText()).toList();
    }

    static List<JsonNode> parse(byte[] output) {
        String text = decode(output);
        assertThat(text)
                .satisfiesAnyOf(t -> assertThat(t).isEmpty(), t -> assertThat(t).endsWith("\n"));
        return text.lines().map(LogCapture::parse).toList();
    }

    private static JsonNode parse(String line) {
        try {
            return STRICT.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException("not one JSON object: " + line, e);
        }
    }

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
