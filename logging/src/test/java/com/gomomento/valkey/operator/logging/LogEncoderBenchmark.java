package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

/**
 * What a log line costs: time and bytes of garbage. The line is {@code active tick} of a reconcile, with five fields and
 * one span, about 500 bytes. The encoder may take 400 ns and 700 B.
 *
 * <p>Run {@link #main}; JMH's own options are its arguments.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LogEncoderBenchmark {

    private static final Span SPAN = Span.of(Level.INFO, "operator::controller", "reconciling object")
            .with("object.ref", "ValkeyCluster.v1alpha1.valkey.gomomento.com/my-cluster.my-app")
            .with("object.reason", "object updated");

    private final JsonLineEncoder encoder = new JsonLineEncoder();
    private final SpanContext context = SpanContext.NONE.child(SPAN);
    private final LoggingEvent event = activeTick();

    private static LoggingEvent activeTick() {
        LoggingEvent event = new LoggingEvent();
        event.setLoggerName("operator.controller");
        event.setLevel(ch.qos.logback.classic.Level.INFO);
        event.setMessage("active tick");
        event.setInstant(Instant.now());
        event.setKeyValuePairs(List.of(
                new KeyValuePair("cluster_name", "my-cluster"),
                new KeyValuePair("shards", 3),
                new KeyValuePair("nodes", 6),
                new KeyValuePair("ratio", 0.5),
                new KeyValuePair("ok", true)));
        return event;
    }

    /** Logging into nothing, with a filter that needs no look at the logger's name, and with one that does. */
    @State(Scope.Benchmark)
    public static class Installed {
        @Param({"info", "info,operator=info,hyper=off"})
        private String rustLog = "";

        private final Logger log = LoggerFactory.getLogger("operator.controller");

        /** Puts the filter in force. */
        @Setup
        public void install() {
            LogSetup.install(rustLog, new PrintStream(OutputStream.nullOutputStream()), System.err);
        }
    }

    /** The line into a buffer that is used again, as the appender does it. */
    @Benchmark
    public int encodeInSpan() {
        return context.call(() -> {
            Utf8Buffer buffer = encoder.borrow();
            encoder.write(event, buffer);
            int size = buffer.size();
            encoder.giveBack(buffer);
            return size;
        });
    }

    /** The same without a span. */
    @Benchmark
    public int encodeWithoutSpan() {
        Utf8Buffer buffer = encoder.borrow();
        encoder.write(event, buffer);
        int size = buffer.size();
        encoder.giveBack(buffer);
        return size;
    }

    /** The line as an array of its own, as logback's own appenders want it. */
    @Benchmark
    public byte[] encodeToArray() {
        return context.call(() -> encoder.encode(event));
    }

    /** All of it: an event built through slf4j, filtered, encoded, written to a stream that drops it. */
    @Benchmark
    public void logInSpan(Installed logging) {
        context.run(() -> logging.log
                .atInfo()
                .addKeyValue("cluster_name", "my-cluster")
                .addKeyValue("shards", 3)
                .addKeyValue("nodes", 6)
                .addKeyValue("ratio", 0.5)
                .addKeyValue("ok", true)
                .log("active tick"));
    }

    /** A line that the filter does not let through. */
    @Benchmark
    public void disabled(Installed logging) {
        logging.log.debug("probe {} answered", SPAN);
    }

    /** Runs every benchmark here, or those that the first argument names, with the allocation profiler. */
    public static void main(String[] args) throws RunnerException {
        String which = args.length > 0 ? args[0] : ".*";
        new Runner(new OptionsBuilder()
                        .include(LogEncoderBenchmark.class.getSimpleName() + "\\." + which)
                        .addProfiler(GCProfiler.class)
                        .build())
                .run();
    }
}
