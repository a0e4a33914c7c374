package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.util.ReentryGuard;
import ch.qos.logback.core.util.ReentryGuardFactory;
import java.io.PrintStream;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes each line whole, on the thread that logs. A stream that is closed or full swallows lines without a word: there
 * is nowhere left to complain, and the work that logs must go on.
 */
final class LineAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

    private final JsonLineEncoder encoder;
    private final LevelFilter max;
    private final PrintStream out;
    private final ReentrantLock lock = new ReentrantLock();

    LineAppender(JsonLineEncoder encoder, LevelFilter max, PrintStream out) {
        this.encoder = encoder;
        this.max = max;
        this.out = out;
        setName("stdout");
    }

    /** Encoding calls foreign toString methods; what these log is dropped, since it could go on for ever. */
    @Override
    protected ReentryGuard buildReentryGuard() {
        return ReentryGuardFactory.makeGuard(ReentryGuardFactory.GuardType.THREAD_LOCAL);
    }

    @Override
    protected void append(ILoggingEvent event) {
        // Events recorded before logback was ready are replayed without a look at their level.
        if (!max.allows(LogbackLevels.toSlf4j(event.getLevel()))) {
            return;
        }
        Utf8Buffer line = encoder.borrow();
        encoder.write(event, line);
        lock.lock();
        try {
            // A print stream never throws: it notes the trouble and goes on.
            out.write(line.array(), 0, line.size());
            out.flush();
        } finally {
            lock.unlock();
        }
        encoder.giveBack(line);
    }
}
