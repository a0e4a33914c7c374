package com.gomomento.valkey.operator.logging;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The program that {@link ProcessTest} starts. Its first argument says what it does. */
final class LogProbe {

    private static final Logger ACL = LoggerFactory.getLogger("operator.controller.acl");
    private static final Logger LIBRARY = LoggerFactory.getLogger("io.fabric8.kubernetes.client");

    private LogProbe() {}

    public static void main(String[] args) throws InterruptedException {
        ACL.error("before logging is installed");
        switch (args[0]) {
            case "everything" -> everything();
            case "flood" -> flood();
            case "uninstalled" -> logEverywhere();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void everything() throws InterruptedException {
        LogSetup.installFromEnvironment();
        Thread.setDefaultUncaughtExceptionHandler(LogSetup.uncaughtExceptionHandler("operator"));
        Span span = Span.of(Level.INFO, "operator::controller", "reconciling object")
                .with("object.ref", "a.ns1");
        Spans.in(span, LogProbe::logEverywhere);
        Thread.ofPlatform()
                .name("doomed")
                .start(() -> {
                    throw new IllegalStateException("first line\nsecond line");
                })
                .join();
    }

    private static void logEverywhere() {
        ACL.atInfo().addKeyValue("cluster_name", "caf\u00e9").log("ACL reconcile tick");
        ACL.debug("debug of ours");
        LIBRARY.warn("warning of a library");
        LIBRARY.debug("debug of a library");
        java.util.logging.Logger.getLogger("jul.x").info("java.util.logging");
        java.util.logging.Logger.getLogger("jul.x").fine("fine of java.util.logging");
        System.getLogger("platform.x").log(System.Logger.Level.ERROR, "platform logger");
    }

    /** More than any pipe holds. */
    private static void flood() {
        LogSetup.installFromEnvironment();
        for (int i = 0; i < 20_000; i++) {
            ACL.atInfo().addKeyValue("i", i).log("line");
        }
        System.err.println("flood is over");
    }
}
