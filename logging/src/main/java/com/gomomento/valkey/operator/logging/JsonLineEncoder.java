package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.event.KeyValuePair;

/**
 * An event as one line of JSON, UTF-8, ended by a newline: {@code timestamp}, {@code level}, {@code fields},
 * {@code target}, and inside a span {@code span} and {@code spans}, in this order.
 *
 * <p>Markers and the MDC are not printed: what a line tells stands in its key-value pairs and its spans.
 *
 * <p>It reads the open spans from the calling thread, so the appender has to be synchronous. Public for those who wire
 * logback themselves; {@link LogSetup} does it for everyone else.
 */
public final class JsonLineEncoder extends EncoderBase<ILoggingEvent> {

    private static final int USUAL_CAPACITY = 1024;
    private static final int KEPT_CAPACITY = 64 * 1024;

    private final RustLogFilter filter;
    private final Timestamps timestamps = new Timestamps();
    private final Map<String, byte[]> targets = new ConcurrentHashMap<>();
    /** One buffer is kept between lines; a thread that finds it taken makes one of its own. */
    private final AtomicReference<Utf8Buffer> spare = new AtomicReference<>(new Utf8Buffer(USUAL_CAPACITY));

    /** An encoder that shows every span. */
    public JsonLineEncoder() {
        this(RustLogFilter.parse("trace", ignored -> {}));
    }

    /** An encoder that shows the spans that {@code filter} shows. */
    public JsonLineEncoder(RustLogFilter filter) {
        this.filter = filter;
    }

    @Override
    public byte[] headerBytes() {
        return Utf8Buffer.EMPTY;
    }

    @Override
    public byte[] footerBytes() {
        return Utf8Buffer.EMPTY;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        Utf8Buffer buffer = borrow();
        write(event, buffer);
        byte[] line = buffer.toByteArray();
        giveBack(buffer);
        return line;
    }

    /** A buffer for one line, empty, to be given back. */
    Utf8Buffer borrow() {
        Utf8Buffer kept = spare.getAndSet(null);
        return kept == null ? new Utf8Buffer(USUAL_CAPACITY) : kept;
    }

    void giveBack(Utf8Buffer buffer) {
        if (buffer.capacity() <= KEPT_CAPACITY) {
            buffer.truncate(0);
            spare.set(buffer);
        }
    }

    /** Writes the line; an event that cannot be written gives a line that says so, never a broken one. */
    void write(ILoggingEvent event, Utf8Buffer out) {
        int start = out.size();
        try {
            line(event, out);
        } catch (RuntimeException | Error e) {
            out.truncate(start);
            head(event, out);
            out.ascii("\"message\":\"log event could not be written\",\"error\":");
            JsonText.string(out, e.getClass().getName());
            out.ascii('}');
            out.raw(target(event.getLoggerName()));
            out.ascii("}\n");
        }
    }

    private void line(ILoggingEvent event, Utf8Buffer out) {
        head(event, out);
        fields(event, out);
        out.ascii('}');
        out.raw(target(event.getLoggerName()));
        out.raw(Spans.current().view(filter).json());
        out.ascii("}\n");
    }

    private void head(ILoggingEvent event, Utf8Buffer out) {
        out.ascii("{\"timestamp\":\"");
        Instant instant = event.getInstant();
        timestamps.write(out, instant == null ? Instant.ofEpochMilli(event.getTimeStamp()) : instant);
        out.ascii("\",\"level\":\"");
        out.ascii(levelName(event.getLevel()));
        out.ascii("\",\"fields\":{");
    }

    private static String levelName(Level level) {
        return LogbackLevels.toSlf4j(level).name();
    }

    private static void fields(ILoggingEvent event, Utf8Buffer out) {
        int start = out.size();
        String message = message(event);
        if (message != null) {
            out.ascii("\"message\":");
            JsonText.string(out, message);
        }
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        int count = pairs == null ? 0 : pairs.size();
        for (int i = 0; i < count; i++) {
            KeyValuePair pair = pairs.get(i);
            if (isLastOfItsKey(pairs, i) && (message == null || !"message".equals(pair.key))) {
                separate(out, start);
                JsonText.string(out, String.valueOf(pair.key));
                out.ascii(':');
                JsonText.value(out, pair.value);
            }
        }
        if (event.getThrowableProxy() != null) {
            if (!hasKey(pairs, ThrowableText.ERROR)) {
                separate(out, start);
                out.ascii("\"error\":");
                JsonText.string(out, ThrowableText.summary(event.getThrowableProxy()));
            }
            if (!hasKey(pairs, ThrowableText.STACKTRACE)) {
                separate(out, start);
                out.ascii("\"stacktrace\":");
                JsonText.string(out, ThrowableText.stackTrace(event.getThrowableProxy()));
            }
        }
    }

    private static String message(ILoggingEvent event) {
        Object[] arguments = event.getArgumentArray();
        String message = event.getMessage();
        return message == null || arguments == null ? message : MessageText.fill(message, arguments);
    }

    private static void separate(Utf8Buffer out, int start) {
        if (out.size() > start) {
            out.ascii(',');
        }
    }

    /** A key given twice would make two members of the same name, which readers of JSON disagree about. */
    private static boolean isLastOfItsKey(List<KeyValuePair> pairs, int index) {
        String key = String.valueOf(pairs.get(index).key);
        for (int i = index + 1; i < pairs.size(); i++) {
            if (key.equals(String.valueOf(pairs.get(i).key))) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasKey(List<KeyValuePair> pairs, String key) {
        return pairs != null && pairs.stream().anyMatch(pair -> key.equals(pair.key));
    }

    private byte[] target(String loggerName) {
        byte[] known = targets.get(loggerName);
        return known != null ? known : targets.computeIfAbsent(loggerName, JsonLineEncoder::targetMember);
    }

    private static byte[] targetMember(String loggerName) {
        Utf8Buffer out = new Utf8Buffer(64);
        out.ascii(",\"target\":");
        JsonText.string(out, Targets.of(loggerName));
        return out.toByteArray();
    }
}
