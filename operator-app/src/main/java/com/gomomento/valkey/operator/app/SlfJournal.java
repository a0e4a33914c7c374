package com.gomomento.valkey.operator.app;

import com.gomomento.valkey.operator.core.port.Journal;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes the core's events to the log, each under the target that the core names. */
final class SlfJournal implements Journal {

    @Override
    public void record(Entry entry) {
        Logger log = LoggerFactory.getLogger(entry.target());
        LoggingEventBuilder line = log.atLevel(level(entry.level()));
        for (Map.Entry<String, Object> field : entry.fields().entrySet()) {
            line = line.addKeyValue(field.getKey(), field.getValue());
        }
        line.log(entry.message());
    }

    /** The interface's own Level hides slf4j's simple name here. */
    private static org.slf4j.event.Level level(Level level) {
        return switch (level) {
            case ERROR -> org.slf4j.event.Level.ERROR;
            case WARN -> org.slf4j.event.Level.WARN;
            case INFO -> org.slf4j.event.Level.INFO;
            case DEBUG -> org.slf4j.event.Level.DEBUG;
        };
    }
}
