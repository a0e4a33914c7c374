package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/**
 * A throwable as two fields: what it is, and where it came from with its causes and what it suppressed. Both are bounded,
 * because node-level collectors cut or drop very long lines.
 */
final class ThrowableText {

    static final String ERROR = "error";
    static final String STACKTRACE = "stacktrace";

    /** Characters of the summary: enough for what a server says about a refused object. */
    static final int SUMMARY_LIMIT = 4_096;

    /** Characters of the stack trace; with everything else a line stays under the 16 KiB at which runtimes split. */
    static final int STACKTRACE_LIMIT = 8_192;

    /** Frames of each throwable, so that the frames of the first do not leave the cause untold. */
    private static final int FRAME_LIMIT = 20;

    private final StringBuilder out = new StringBuilder();
    private final int limit;

    private ThrowableText(int limit) {
        this.limit = limit;
    }

    /** Class and message. */
    static String summary(IThrowableProxy throwable) {
        ThrowableText text = new ThrowableText(SUMMARY_LIMIT);
        text.title(throwable);
        return text.bounded();
    }

    /** As {@code printStackTrace} prints it, with fewer frames; those that a cause shares with what it caused go first. */
    static String stackTrace(IThrowableProxy throwable) {
        ThrowableText text = new ThrowableText(STACKTRACE_LIMIT);
        text.title(throwable);
        text.body(throwable, "\n");
        return text.bounded();
    }

    private void title(IThrowableProxy throwable) {
        out.append(throwable.getClassName());
        if (throwable.getMessage() != null) {
            out.append(": ").append(throwable.getMessage());
        }
    }

    private void body(IThrowableProxy throwable, String newline) {
        StackTraceElementProxy[] frames = throwable.getStackTraceElementProxyArray();
        int own = frames == null ? 0 : frames.length - throwable.getCommonFrames();
        for (int i = 0; i < own && i < FRAME_LIMIT; i++) {
            out.append(newline).append("\tat ").append(frames[i].getStackTraceElement());
        }
        int left = Math.max(0, own - FRAME_LIMIT) + throwable.getCommonFrames();
        if (left > 0) {
            out.append(newline).append("\t... ").append(left).append(" more frames");
        }
        IThrowableProxy[] suppressed = throwable.getSuppressed();
        for (int i = 0; suppressed != null && i < suppressed.length; i++) {
            related("Suppressed: ", suppressed[i], newline + "\t");
        }
        if (throwable.getCause() != null) {
            related("Caused by: ", throwable.getCause(), newline);
        }
    }

    private void related(String caption, IThrowableProxy throwable, String newline) {
        if (full()) {
            return;
        }
        out.append(newline).append(caption);
        if (throwable.isCyclic()) {
            out.append("[circular reference: ").append(throwable.getClassName()).append(']');
        } else {
            title(throwable);
            body(throwable, newline);
        }
    }

    private boolean full() {
        return out.length() > limit;
    }

    private String bounded() {
        if (!full()) {
            return out.toString();
        }
        int end = Character.isHighSurrogate(out.charAt(limit - 1)) ? limit - 1 : limit;
        return out.substring(0, end) + "... [cut]";
    }
}
