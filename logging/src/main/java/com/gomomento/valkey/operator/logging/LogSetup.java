package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Puts everything in place: the filter, the encoder, the bridge from java.util.logging. Called once, first of all. */
public final class LogSetup {

    private LogSetup() {}

    /** {@link #install} with the process's own {@code RUST_LOG}, standard output and standard error. */
    public static void installFromEnvironment() {
        install(Optional.ofNullable(System.getenv("RUST_LOG")).orElse(""), System.out, System.err);
    }

    /**
     * From here on, everything that is logged through slf4j or java.util.logging and passes the filter goes to
     * {@code out} as JSON lines. A later call replaces an earlier one.
     *
     * @param rustLog the directives, see {@link RustLogFilter}; empty for silence
     * @param out where lines go; neither closed nor used otherwise here
     * @param err where parts of {@code rustLog} that are no directives are reported, before anything is logged
     * @throws IllegalStateException if slf4j is bound to something else than logback
     */
    public static void install(String rustLog, PrintStream out, PrintStream err) {
        RustLogFilter filter = RustLogFilter.parse(rustLog, line -> report(err, line));
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            throw new IllegalStateException("slf4j is bound to "
                    + LoggerFactory.getILoggerFactory().getClass().getName() + ", allowed is logback alone");
        }
        SilentConfigurator.silence(context);
        if (filter.maxLevel() != LevelFilter.OFF) {
            open(context, filter, out);
        }
        bridgeJul(filter.maxLevel());
    }

    /**
     * Logs what ends a thread, at ERROR, with the thread's name. For {@link Thread#setDefaultUncaughtExceptionHandler}.
     *
     * @param loggerName where the lines shall come from, such as {@code operator}
     */
    public static Thread.UncaughtExceptionHandler uncaughtExceptionHandler(String loggerName) {
        org.slf4j.Logger log = LoggerFactory.getLogger(loggerName);
        return (thread, thrown) -> log.atError()
                .addKeyValue("thread", thread.getName())
                .setCause(thrown)
                .log("uncaught exception");
    }

    private static void open(LoggerContext context, RustLogFilter filter, PrintStream out) {
        LineAppender appender = new LineAppender(new JsonLineEncoder(filter), filter.maxLevel(), out);
        appender.setContext(context);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        // The plain level check of logback is cheaper than any filter, where it says the same.
        root.setLevel(LogbackLevels.toLogback(filter.maxLevel()));
        if (filter.uniformLevel().isEmpty()) {
            FilterGate gate = new FilterGate(filter);
            gate.setContext(context);
            gate.start();
            context.addTurboFilter(gate);
        }
    }

    /** java.util.logging sends on all that could pass; what its loggers were told before is forgotten. */
    private static void bridgeJul(LevelFilter max) {
        LogManager.getLogManager().reset();
        java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
        root.setLevel(LogbackLevels.toJul(max));
        if (max != LevelFilter.OFF) {
            SLF4JBridgeHandler.install();
        }
    }

    private static void report(PrintStream err, String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        err.write(bytes, 0, bytes.length);
        err.flush();
    }
}
