package com.gomomento.valkey.operator.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.LoggingEvent;

/**
 * Asks the filter for every logger and level. What the static directives say about a logger is worked out once; spans
 * are looked at only if that does not let the event through.
 *
 * <p>logback asks twice for an event of the fluent API: before it is built, when the fields are not known and the answer
 * has to be yes if there could be any that let it pass, and when it is complete.
 */
final class FilterGate extends TurboFilter {

    private final RustLogFilter filter;
    private final LevelFilter max;
    private final Map<String, Rules> rules = new ConcurrentHashMap<>();

    /** The answers for one logger. */
    private record Rules(TargetRules byTarget, LevelFilter mostVerbose) {}

    FilterGate(RustLogFilter filter) {
        this.filter = filter;
        this.max = filter.maxLevel();
    }

    @Override
    public FilterReply decide(
            Marker marker, Logger logger, Level level, String format, Object[] params, Throwable throwable) {
        org.slf4j.event.Level severity = LogbackLevels.toSlf4j(level);
        if (!max.allows(severity)) {
            return FilterReply.DENY;
        }
        Rules known = rules(logger);
        if (known.byTarget.isPlain() || (format == null && throwable == null)) {
            return reply(known.mostVerbose, severity);
        }
        boolean thrown = throwable != null || endsInThrowable(params);
        return reply(known.byTarget.level(name -> hasStandardField(name, format != null, thrown)), severity);
    }

    @Override
    public FilterReply decide(Logger logger, LoggingEvent event) {
        org.slf4j.event.Level severity = event.getLevel();
        if (!max.allows(severity)) {
            return FilterReply.DENY;
        }
        Rules known = rules(logger);
        return reply(known.byTarget.isPlain() ? known.mostVerbose : known.byTarget.level(fieldsOf(event)), severity);
    }

    private FilterReply reply(LevelFilter statics, org.slf4j.event.Level severity) {
        boolean passes =
                statics.allows(severity) || filter.opened(Spans.current()).allows(severity);
        return passes ? FilterReply.ACCEPT : FilterReply.DENY;
    }

    private Rules rules(Logger logger) {
        Rules known = rules.get(logger.getName());
        return known != null ? known : rules.computeIfAbsent(logger.getName(), this::workOut);
    }

    private Rules workOut(String loggerName) {
        TargetRules byTarget = filter.rulesFor(Targets.of(loggerName));
        return new Rules(byTarget, byTarget.mostVerbose());
    }

    private static Predicate<String> fieldsOf(LoggingEvent event) {
        boolean thrown = event.getThrowable() != null || endsInThrowable(event.getArgumentArray());
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        return name -> hasStandardField(name, event.getMessage() != null, thrown)
                || (pairs != null && pairs.stream().anyMatch(pair -> name.equals(pair.key)));
    }

    private static boolean hasStandardField(String name, boolean message, boolean thrown) {
        return switch (name) {
            case "message" -> message;
            case ThrowableText.ERROR, ThrowableText.STACKTRACE -> thrown;
            default -> false;
        };
    }

    /** logback takes a last argument that is a throwable for the event's own. */
    private static boolean endsInThrowable(Object[] params) {
        return params != null && params.length > 0 && params[params.length - 1] instanceof Throwable;
    }
}
