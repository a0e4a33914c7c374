package com.gomomento.valkey.operator.logging;

/** The one mapping from logger names to targets. */
final class Targets {

    private Targets() {}

    /** {@code operator.controller.acl} becomes {@code operator::controller::acl}, and so does every other name. */
    static String of(String loggerName) {
        return loggerName.replace(".", "::");
    }
}
