package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.Level;

/** Levels of logback, slf4j and java.util.logging, one in terms of the other. */
final class LogbackLevels {

    private LogbackLevels() {}

    static org.slf4j.event.Level toSlf4j(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> org.slf4j.event.Level.ERROR;
            case Level.WARN_INT -> org.slf4j.event.Level.WARN;
            case Level.INFO_INT -> org.slf4j.event.Level.INFO;
            case Level.DEBUG_INT -> org.slf4j.event.Level.DEBUG;
            default -> org.slf4j.event.Level.TRACE;
        };
    }

    static Level toLogback(LevelFilter filter) {
        return switch (filter) {
            case OFF -> Level.OFF;
            case ERROR -> Level.ERROR;
            case WARN -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
            case TRACE -> Level.TRACE;
        };
    }

    /** The lowest java.util.logging level that the bridge turns into something the filter admits. */
    static java.util.logging.Level toJul(LevelFilter filter) {
        return switch (filter) {
            case OFF -> java.util.logging.Level.OFF;
            case ERROR -> java.util.logging.Level.SEVERE;
            case WARN -> java.util.logging.Level.WARNING;
            case INFO -> java.util.logging.Level.CONFIG;
            case DEBUG -> java.util.logging.Level.FINER;
            case TRACE -> java.util.logging.Level.ALL;
        };
    }
}
