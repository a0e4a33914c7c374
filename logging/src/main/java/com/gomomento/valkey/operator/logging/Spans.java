package com.gomomento.valkey.operator.logging;

/**
 * Runs work inside a span, so that every line logged meanwhile on the same thread carries it and span directives of the
 * filter apply.
 *
 * <p>The scope is a {@link ScopedValue}: it ends with the call, whatever happens inside. Threads started inside do not
 * inherit it, except those forked in a structured task scope; hand them {@link #current()} and re-apply it with
 * {@link SpanContext#run}, {@link SpanContext#call} or {@link SpanContext#wrap}.
 */
public final class Spans {

    private static final ScopedValue<SpanContext> CURRENT = ScopedValue.newInstance();

    private Spans() {}

    /** Runs {@code work} inside {@code span}, itself inside the spans that are already open. */
    public static void in(Span span, Runnable work) {
        enter(current().child(span), work);
    }

    /** As {@link #in}, for work that has a result or a checked exception. */
    public static <R, X extends Throwable> R call(Span span, ScopedValue.CallableOp<? extends R, X> work) throws X {
        return enter(current().child(span), work);
    }

    /** The spans open on this thread, to be carried to another. */
    public static SpanContext current() {
        return CURRENT.orElse(SpanContext.NONE);
    }

    static void enter(SpanContext context, Runnable work) {
        ScopedValue.where(CURRENT, context).run(work);
    }

    static <R, X extends Throwable> R enter(SpanContext context, ScopedValue.CallableOp<? extends R, X> work) throws X {
        return ScopedValue.where(CURRENT, context).call(work);
    }
}
