package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;

/** A server gave no answer to a whole round trip. Whether it has run the commands is not known. */
final class NoAnswer extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Unreachable report;

    NoAnswer(Unreachable report) {
        super(report.reason() + ": " + report.detail());
        this.report = report;
    }

    NoAnswer(Unreachable.Reason reason, String detail) {
        this(new Unreachable(reason, detail));
    }

    /** The same as an observer reports it. */
    Unreachable report() {
        return report;
    }

    /** For people, without any credential. */
    String sentence() {
        return report.detail();
    }
}
