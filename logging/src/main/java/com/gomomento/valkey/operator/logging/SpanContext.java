package com.gomomento.valkey.operator.logging;

import java.util.ArrayList;
import java.util.List;

/**
 * The spans that are open at some point, root to leaf. Immutable, and free to be handed to other threads.
 *
 * <p>What a filter makes of it (which spans show, what level they open) and its JSON text are worked out when first
 * needed and kept: a reconcile logs many lines under one span, and most spans log none.
 */
public final class SpanContext {

    /** No span at all. */
    public static final SpanContext NONE = new SpanContext();

    private final SpanContext parent;
    private final List<Span> spans;
    private volatile View view = View.UNRESOLVED;

    private SpanContext() {
        this.parent = this;
        this.spans = List.of();
    }

    private SpanContext(SpanContext parent, Span span) {
        List<Span> path = new ArrayList<>(parent.spans);
        path.add(span);
        this.parent = parent;
        this.spans = List.copyOf(path);
    }

    /** The spans, root first. */
    public List<Span> spans() {
        return spans;
    }

    /** Runs {@code work} with exactly these spans open, in place of those of the calling thread. */
    public void run(Runnable work) {
        Spans.enter(this, work);
    }

    /** As {@link #run}, for work that has a result or a checked exception. */
    public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> work) throws X {
        return Spans.enter(this, work);
    }

    /** {@code work} that opens these spans by itself wherever it is run, for executors and new threads. */
    public Runnable wrap(Runnable work) {
        return () -> run(work);
    }

    SpanContext child(Span span) {
        return new SpanContext(this, span);
    }

    /** What {@code filter} makes of these spans. */
    View view(RustLogFilter filter) {
        View known = view;
        if (known.filter == filter) {
            return known;
        }
        View resolved = resolve(filter);
        view = resolved;
        return resolved;
    }

    private View resolve(RustLogFilter filter) {
        if (spans.isEmpty()) {
            return new View(filter, LevelFilter.OFF, List.of());
        }
        View outer = parent.view(filter);
        Span leaf = spans.getLast();
        return switch (filter.judge(leaf, outer.opened())) {
            case SpanVerdict.Hidden() -> outer;
            case SpanVerdict.Shown(LevelFilter opens) -> {
                List<Span> shown = new ArrayList<>(outer.shown);
                shown.add(leaf);
                yield new View(filter, outer.opened.max(opens), List.copyOf(shown));
            }
        };
    }

    /** These spans as one filter sees them. */
    static final class View {
        static final View UNRESOLVED = new View(RustLogFilter.NOTHING, LevelFilter.OFF, List.of());

        private final RustLogFilter filter;
        private final LevelFilter opened;
        private final List<Span> shown;
        private volatile byte[] json = Utf8Buffer.EMPTY;

        private View(RustLogFilter filter, LevelFilter opened, List<Span> shown) {
            this.filter = filter;
            this.opened = opened;
            this.shown = shown;
        }

        /** The level up to which events pass because of these spans, whatever their target. */
        LevelFilter opened() {
            return opened;
        }

        /** The members {@code span} and {@code spans} of a line, each with its leading comma; empty without spans. */
        byte[] json() {
            if (shown.isEmpty()) {
                return Utf8Buffer.EMPTY;
            }
            byte[] known = json;
            if (known.length == 0) {
                known = SpanJson.members(shown);
                json = known;
            }
            return known;
        }
    }
}
