package com.gomomento.valkey.operator.logging;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.event.Level;

/**
 * Decides what is logged, by the directives of {@code RUST_LOG}. The syntax and the meaning are those of
 * tracing-subscriber's EnvFilter 0.3, oddities included; {@code docs/LOGGING.md} describes them for users.
 *
 * <p>The algorithm. The text is split at commas, all of them. Each part is a {@link Directive}; one that does not parse
 * is reported and skipped. Of directives that differ in the level only, the last one counts. Then there are two ways for
 * an event to pass:
 *
 * <ol>
 *   <li>Statics, directives with neither a span name nor a field value: the most specific one that fits the event's
 *       target, and whose field the event has if it names one, decides alone.
 *   <li>Dynamics, directives with a span name or a field: each open span that one of them fits opens the way for all
 *       events inside, whatever their target, up to the highest level among the directives whose field value matches.
 * </ol>
 *
 * <p>Spans are filtered too, though only for being shown: by dynamics, which always show what they fit, else by statics
 * without regard to fields, else by what an outer span has opened. A span more verbose than the most verbose directive
 * is not even looked at, unless some directive asks for a field's value.
 *
 * <p>Immutable.
 */
public final class RustLogFilter {

    /** Lets nothing through: the meaning of an unset or empty {@code RUST_LOG}. */
    public static final RustLogFilter NOTHING = new RustLogFilter(List.of());

    private final List<Directive> statics;
    private final List<Directive> dynamics;
    private final LevelFilter dynamicsMax;
    private final LevelFilter max;

    private RustLogFilter(List<Directive> directives) {
        List<Directive> dynamic =
                directives.stream().filter(Directive::isDynamic).toList();
        List<Directive> fixed = directives.stream().filter(Directive::isStatic).toList();
        this.dynamics = lastOfEqual(dynamic);
        this.statics = lastOfEqual(fixed);
        // Overridden directives count here, as they do in the reference.
        this.dynamicsMax = mostVerbose(dynamic);
        this.max = dynamic.stream().anyMatch(Directive::hasValue)
                ? LevelFilter.TRACE
                : mostVerbose(fixed).max(dynamicsMax);
    }

    /**
     * Reads directives.
     *
     * @param text the value of {@code RUST_LOG}; empty lets nothing through
     * @param ignored is told of each part that is no directive, as {@code ignoring `PART`: REASON}
     */
    public static RustLogFilter parse(String text, Consumer<String> ignored) {
        List<Directive> directives = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (part.isEmpty()) {
                continue;
            }
            switch (DirectiveParser.parse(part)) {
                case DirectiveParser.Result.Parsed(Directive directive) -> directives.add(directive);
                case DirectiveParser.Result.Refused(String reason) ->
                    ignored.accept("ignoring `" + part + "`: " + reason);
            }
        }
        return new RustLogFilter(directives);
    }

    /** Nothing more verbose than this can pass, wherever it comes from. */
    public LevelFilter maxLevel() {
        return max;
    }

    /** The one level that holds for every target and span, if the filter is as simple as that. */
    public Optional<LevelFilter> uniformLevel() {
        boolean plain = dynamics.isEmpty()
                && statics.stream().allMatch(directive -> directive.target().isEmpty());
        return plain
                ? Optional.of(
                        statics.isEmpty() ? LevelFilter.OFF : statics.getFirst().level())
                : Optional.empty();
    }

    /**
     * Whether an event passes.
     *
     * @param target the module path it comes from, such as {@code operator::controller::acl}
     * @param hasField whether it has a field of this name; {@code message} is one
     * @param spans the spans open where it happens
     */
    public boolean enabled(String target, Level level, Predicate<String> hasField, SpanContext spans) {
        return rulesFor(target).level(hasField).allows(level) || opened(spans).allows(level);
    }

    /** What the statics say about one target. */
    TargetRules rulesFor(String target) {
        List<Directive> byField = new ArrayList<>();
        for (Directive directive : statics) {
            if (directive.matchesTarget(target)) {
                if (directive.field().isEmpty()) {
                    return new TargetRules(byField, directive.level());
                }
                byField.add(directive);
            }
        }
        return new TargetRules(byField, LevelFilter.OFF);
    }

    /** The level up to which events pass because of the spans around them. */
    LevelFilter opened(SpanContext spans) {
        return dynamics.isEmpty() ? LevelFilter.OFF : spans.view(this).opened();
    }

    /** What to make of a span that is entered where outer spans have opened events up to {@code opened}. */
    SpanVerdict judge(Span span, LevelFilter opened) {
        if (!max.allows(span.level())) {
            return new SpanVerdict.Hidden();
        }
        boolean concerned = false;
        LevelFilter opens = LevelFilter.OFF;
        for (Directive directive : dynamics) {
            if (directive.concerns(span)) {
                concerned = true;
                opens = directive.valueMatches(span) ? opens.max(directive.level()) : opens;
            }
        }
        boolean shown =
                concerned || staticsShow(span) || (opened.allows(span.level()) && dynamicsMax.allows(span.level()));
        return shown ? new SpanVerdict.Shown(opens) : new SpanVerdict.Hidden();
    }

    private boolean staticsShow(Span span) {
        return statics.stream()
                .filter(directive -> directive.matchesTarget(span.target()))
                .findFirst()
                .map(directive -> directive.level().allows(span.level()))
                .orElse(false);
    }

    private static List<Directive> lastOfEqual(List<Directive> directives) {
        TreeMap<Directive, Directive> sorted = new TreeMap<>(Directive.MOST_SPECIFIC_FIRST);
        directives.forEach(directive -> sorted.put(directive, directive));
        return List.copyOf(sorted.values());
    }

    private static LevelFilter mostVerbose(Collection<Directive> directives) {
        return directives.stream().map(Directive::level).reduce(LevelFilter.OFF, LevelFilter::max);
    }
}
