package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;

/**
 * Keeps logback silent until {@link LogSetup} is called, and keeps it from looking for configuration files. Found by
 * logback as a service.
 */
public final class SilentConfigurator extends ContextAwareBase implements Configurator {

    /** For the service loader. */
    public SilentConfigurator() {}

    @Override
    public ExecutionStatus configure(LoggerContext loggerContext) {
        silence(loggerContext);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** No level, no appender, and no word of logback's own. */
    static void silence(LoggerContext context) {
        context.reset();
        context.getStatusManager().clear();
        context.getStatusManager().add(new NopStatusListener());
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }
}
